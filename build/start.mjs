/** `npm start`: the desktop window where possible, else the console in a browser. Needs only Node 20. */
import {ensureBuilt} from './lib/dist.mjs'
import {electronBinary, fetchElectron, wantsHeadless, whyNoSandbox, whyNoWindow} from './lib/electron.mjs'
import {hostFlags} from './lib/host.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runInPlace} from './lib/run.mjs'
import {say} from './lib/say.mjs'

main(async () => {
	const args = process.argv.slice(2)
	const node = await ensureInstalled()
	await ensureBuilt(node)
	const electron = wantsHeadless(args) ? undefined : await findElectron(node)
	if (electron !== undefined) {
		// In the environment, because Chromium reads the command line and would take `--no-sandbox` as its own.
		return runInPlace(electron, [at()], {env: {...process.env, CORDON_ARGUMENTS: JSON.stringify(args)}})
	}
	return runInPlace(node, [...hostFlags, at('dist', 'node', 'headless.js'), ...args], {leash: true})
})

async function findElectron(node) {
	const reason = whyNoWindow()
	const binary = reason === undefined ? (electronBinary() ?? (await fetchElectron(node))) : undefined
	const trouble = binary === undefined ? undefined : whyNoSandbox(binary)
	if (reason !== undefined) say(`The console opens in a browser: ${reason}.`)
	if (trouble === undefined) return binary
	say(`The console opens in a browser: ${trouble.reason}. To get the window, run once:\n  ${trouble.fix}`)
	return undefined
}
