/**
 * `npm run e2e -- [Playwright's arguments]`: the browser tests, then the desktop pass. `--project=desktop` or
 * `--project=browser` runs one of them; a file or another argument runs the browser tests alone.
 */
import {browserTests} from './lib/browser-tests.mjs'
import {conclude, runSteps} from './lib/checks.mjs'
import {desktopTests} from './lib/desktop-tests.mjs'
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'

main(async () => {
	const node = await ensureInstalled()
	await ensureBuilt(node)
	return conclude(await runSteps(stepsFor(process.argv.slice(2)), node))
})

function stepsFor(args) {
	const rest = args.filter(arg => !/^--project=(?:browser|desktop)$/.test(arg))
	if (args.includes('--project=desktop')) return [desktopTests(rest)]
	if (args.length > 0) return [browserTests(rest)]
	return [browserTests(), desktopTests()]
}
