/**
 * `npm run docs`: builds the documents as a site with search in `.cache/docs-site`; a dead link between pages fails it. Its
 * tools are installed there, so that nobody who only starts the console downloads them.
 */
import {existsSync} from 'node:fs'

import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runTool} from './lib/run.mjs'
import {say} from './lib/say.mjs'

const site = at('build', 'docs-site')
const vitepress = at('build', 'docs-site', 'node_modules', 'vitepress', 'bin', 'vitepress.js')

main(async () => {
	const node = await ensureInstalled()
	if (!existsSync(vitepress)) {
		const shell = process.platform === 'win32'
		const {status} = runTool('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {cwd: site, shell})
		if (status !== 0) return status
	}
	const {status} = runTool(node, [vitepress, 'build', site])
	if (status === 0) say(`The site is in ${at('.cache', 'docs-site')}.`)
	return status
})
