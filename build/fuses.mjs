import {join} from 'node:path'

import {flipFuses, FuseV1Options, FuseVersion} from '@electron/fuses'

/** Every fuse of this Electron, each with a decision: a new one in a later version stops the build until it has one. */
export const fuses = {
	version: FuseVersion.V1,
	strictlyRequireAllFuses: true,
	// The program must not serve as a Node interpreter, nor take code or a debugger from outside.
	[FuseV1Options.RunAsNode]: false,
	[FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
	[FuseV1Options.EnableNodeCliInspectArguments]: false,
	[FuseV1Options.EnableCookieEncryption]: true,
	[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
	[FuseV1Options.OnlyLoadAppFromAsar]: true,
	[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
	// Our page has a scheme of its own and no business with file:.
	[FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
	// WebAssembly in the page needs them on to trap, and costs nothing.
	[FuseV1Options.WasmTrapHandlers]: true
}

/** The binary's path on the platform it was packed for; electron-builder names it on Windows and macOS. */
export function binaryOf({appOutDir, electronPlatformName, packager}) {
	if (electronPlatformName === 'linux') return join(appOutDir, packager.executableName)
	const name = packager.appInfo.productFilename
	if (electronPlatformName === 'darwin') return join(appOutDir, `${name}.app`, 'Contents', 'MacOS', name)
	return join(appOutDir, `${name}.exe`)
}

export async function setFuses(context) {
	await flipFuses(binaryOf(context), {...fuses, resetAdHocDarwinSignature: context.electronPlatformName === 'darwin'})
}
