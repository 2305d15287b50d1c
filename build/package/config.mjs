/** For Windows and macOS; Linux needs only `layout.mjs` and `deb.mjs`. */
import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'

import {getRawHeader} from '@electron/asar'

import {binaryOf, setFuses} from '../fuses.mjs'
import {at} from '../lib/paths.mjs'
import {appId} from './facts.mjs'
import {refuseTestEntry} from './layout.mjs'

/** The command line with a Node of its own, outside the archive: the window's binary refuses to act as Node. */
const commandLine = [
	{from: 'cli', to: 'cli'},
	// Named, because electron-builder leaves nested folders of that name out.
	{from: 'cli/node_modules', to: 'cli/node_modules'}
]

/** `electronDist`: an unpacked Electron, or `undefined` where electron-builder fetches it. */
export function configOf({facts, electronVersion, electronDist, output}) {
	return {
		appId,
		productName: facts.title,
		artifactName: `${facts.stem}-\${os}-\${arch}.\${ext}`,
		electronVersion,
		...(electronDist === undefined ? {} : {electronDist}),
		directories: {output, buildResources: 'resources'},
		files: ['dist/**', 'package.json', 'LICENSE'],
		extraFiles: ['licences.html', 'sbom.json'],
		asar: true,
		npmRebuild: false,
		// See electron/desktop/deep-link.ts.
		protocols: [{name: 'Cordon', schemes: ['cordon']}],
		afterPack: finish,
		mac: {
			target: [
				{target: 'dmg', arch: ['universal']},
				{target: 'zip', arch: ['universal']}
			],
			category: 'public.app-category.utilities',
			icon: 'resources/icon.icns',
			hardenedRuntime: true,
			gatekeeperAssess: false,
			entitlements: at('build', 'package', 'entitlements.mac.plist'),
			entitlementsInherit: at('build', 'package', 'entitlements.mac.plist'),
			minimumSystemVersion: '13.0',
			darkModeSupport: true
		},
		dmg: {writeUpdateInfo: false},
		win: {
			target: [{target: 'nsis', arch: ['x64']}],
			icon: 'resources/icon.ico',
			executableName: 'Cordon',
			requestedExecutionLevel: 'asInvoker',
			extraResources: commandLine,
			extraFiles: [{from: 'windows', to: '.'}]
		},
		nsis: {
			oneClick: false,
			// Only administrators can write there, so nobody can replace an operator's program.
			perMachine: true,
			allowToChangeInstallationDirectory: false,
			// A profile holds the incident log.
			deleteAppDataOnUninstall: false,
			installerIcon: 'resources/icon.ico',
			uninstallerIcon: 'resources/icon.ico',
			differentialPackage: false
		}
	}
}

/** Only our own program can start from the package: no entry of the tests, a hash of the archive, and the fuses. */
async function finish(context) {
	const isMac = context.electronPlatformName === 'darwin'
	const contents = join(context.appOutDir, `${context.packager.appInfo.productFilename}.app`, 'Contents')
	const archive = isMac ? join(contents, 'Resources', 'app.asar') : join(context.appOutDir, 'resources', 'app.asar')
	refuseTestEntry(archive)
	requireHash(isMac ? join(contents, 'Info.plist') : binaryOf(context), archive)
	// electron-builder's own fuse option misses one; see fuses.mjs.
	await setFuses(context)
}

/** Electron compares the archive's header with this hash at its start: without one there it would check nothing. */
export function requireHash(file, archive) {
	const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
	if (!readFileSync(file).includes(hash)) throw new Error(`${file} lacks the hash of ${archive}.`)
}
