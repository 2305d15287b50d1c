import {existsSync} from 'node:fs'
import {delimiter, join} from 'node:path'

import {runTool} from './run.mjs'
import {say} from './say.mjs'
import {at} from './paths.mjs'
import {tool} from './tools.mjs'

// The shell has no windows, and a test takes a third less time in it.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Path of a Chromium for the browser tests: the system's, else the one of Playwright's cache. */
export function findChromium(node) {
	const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
	const installed = folders.flatMap(folder => names.map(name => join(folder, name))).find(path => existsSync(path))
	return process.env.CORDON_CHROMIUM ?? installed ?? ofPlaywright(node)
}

/** Installs one from the distribution where we have the rights, else into Playwright's cache. */
export function getChromium(node) {
	say('There is no Chromium; installing one.')
	if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
		runTool('apt-get', ['update', '-qq'])
		const install = name => runTool('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'])
		if (!install('chromium-headless-shell').ok) install('chromium')
	}
	if (findChromium(node) === undefined) tool(node, 'playwright', ['install', 'chromium'])
	return findChromium(node)
}

function ofPlaywright(node) {
	const script = `import('${at('node_modules', 'playwright-core', 'index.mjs').replaceAll('\\', '/')}').then((p) => console.log(p.chromium.executablePath()))`
	const {ok, output} = runTool(node, ['-e', script], {quiet: true})
	const path = output.trim()
	return ok && existsSync(path) ? path : undefined
}
