/**
 * `npm run dev -- [arguments of npm start]`: Vite's development server for the page, and the headless console behind it,
 * which restarts when a file of the Node side changes.
 */
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runInPlace} from './lib/run.mjs'

main(async () => {
	const node = await ensureInstalled()
	// The console serves the built page too; behind the development server it is only there to be loaded.
	await ensureBuilt(node)
	return runInPlace(node, [at('build', 'dev-server.mjs'), ...process.argv.slice(2)], {leash: true})
})
