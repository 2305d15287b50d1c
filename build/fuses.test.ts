import {FuseV1Options} from '@electron/fuses'

import {binaryOf, fuses} from './fuses.mjs'

test('every fuse of this Electron has a decision', () => {
	const names = Object.keys(FuseV1Options).filter(name => Number.isNaN(Number(name)))
	const undecided = names.filter(name => !(FuseV1Options[name as keyof typeof FuseV1Options] in fuses))
	expect(undecided).toEqual([])
})

test('code and debuggers from outside are shut out', () => {
	const off = [
		FuseV1Options.RunAsNode,
		FuseV1Options.EnableNodeOptionsEnvironmentVariable,
		FuseV1Options.EnableNodeCliInspectArguments,
		FuseV1Options.GrantFileProtocolExtraPrivileges
	]
	expect(off.map(fuse => fuses[fuse])).toEqual([false, false, false, false])
	expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe(true)
})

test('the binary is found on each platform', () => {
	const packager = {appInfo: {productFilename: 'Cordon'}, executableName: 'cordon'}
	const where = (electronPlatformName: string) => binaryOf({appOutDir: '/out', electronPlatformName, packager})
	expect(['linux', 'darwin', 'win32'].map(where)).toEqual(['/out/cordon', '/out/Cordon.app/Contents/MacOS/Cordon', '/out/Cordon.exe'])
})
