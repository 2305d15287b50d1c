/** `npm run package`: installers of the desktop application for this system, as far as they can be built here. */
import {electronBinary, fetchElectron} from './lib/electron.mjs'
import {ensureBuilt} from './lib/dist.mjs'
import {ensureInstalled} from './lib/install.mjs'
import {main} from './lib/main.mjs'
import {at} from './lib/paths.mjs'
import {runInPlace} from './lib/run.mjs'
import {say} from './lib/say.mjs'

main(async () => {
	const node = await ensureInstalled()
	await ensureBuilt(node)
	if ((electronBinary() ?? (await fetchElectron(node))) === undefined) {
		say('No installer was built: Electron is missing and could not be downloaded.')
		say('Try again where the download works, or name a folder with Electron in ELECTRON_OVERRIDE_DIST_PATH.')
		return 1
	}
	return runInPlace(node, [at('build', 'package-app.mjs'), ...process.argv.slice(2)])
})
