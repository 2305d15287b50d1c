/** The program as a folder for Linux: a renamed Electron, the application in an archive, the command line beside it. */
import {cpSync, existsSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'

import {createPackageWithOptions, listPackage} from '@electron/asar'

import {setFuses} from '../fuses.mjs'

const executableName = 'cordon-desktop'
/** Parts of an unpacked Electron that the package drops. */
const leftOver = ['resources/default_app.asar', 'version', '.complete']

/** `folder` is the gathered application, `electronDist` an unpacked Electron; returns the program's folder. */
export async function layOutLinux({folder, electronDist, output, arch}) {
	const unpacked = join(output, arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`)
	rmSync(unpacked, {recursive: true, force: true})
	cpSync(electronDist, unpacked, {recursive: true, verbatimSymlinks: true})
	renameSync(join(unpacked, 'electron'), join(unpacked, executableName))
	const licence = join(unpacked, 'LICENSE')
	if (existsSync(licence)) renameSync(licence, join(unpacked, 'LICENSE.electron.txt'))
	for (const name of leftOver) rmSync(join(unpacked, name), {force: true})
	const add = (from, to) => cpSync(join(folder, from), join(unpacked, to), {recursive: true})
	add('linux', '.')
	add('licences.html', 'licences.html')
	add('sbom.json', 'sbom.json')
	add('cli', 'resources/cli')
	await packApplication(folder, join(unpacked, 'resources', 'app.asar'))
	await setFuses({appOutDir: unpacked, electronPlatformName: 'linux', packager: {executableName}})
	return unpacked
}

async function packApplication(folder, archive) {
	const content = `${folder}-archive`
	rmSync(content, {recursive: true, force: true})
	for (const part of ['dist', 'node_modules', 'package.json', 'LICENSE']) cpSync(join(folder, part), join(content, part), {recursive: true})
	// The system loads machine code only from files.
	await createPackageWithOptions(content, archive, {unpack: '*.node'})
	rmSync(content, {recursive: true})
	refuseTestEntry(archive)
}

/** The entry of the tests takes a debugger. */
export function refuseTestEntry(archive) {
	const forTests = listPackage(archive, {isPack: false}).filter(path => path.includes('main-test'))
	if (forTests.length > 0) throw new Error(`The package holds what is for tests alone: ${forTests.join(', ')}.`)
}
