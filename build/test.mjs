/** `npm test`: all checks, the desktop pass, the package on request, and all browser tests, whatever fails. */
import {browserTests} from './lib/browser-tests.mjs'
import {checks, conclude, runSteps} from './lib/checks.mjs'
import {ensureDebianTools} from './lib/debian-tools.mjs'
import {desktopTests} from './lib/desktop-tests.mjs'
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {mcpConformance} from './lib/mcp-conformance.mjs'
import {packageTests} from './lib/package-tests.mjs'

main(async () => {
	const node = await ensureInstalled()
	await ensureBuilt(node)
	ensureDebianTools()
	return conclude(await runSteps([...checks, mcpConformance, desktopTests(), packageTests(), browserTests()], node))
})
