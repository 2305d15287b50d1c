import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {createPackage, getRawHeader} from '@electron/asar'

import {leftOut} from './bill.mjs'
import {configOf, requireHash} from './config.mjs'
import {appId, factsOf} from './facts.mjs'
import {drawIcons, linuxSizes} from './icons.mjs'
import {controlOf, desktopEntry, launcher, metainfo, windowsLauncher} from './linux.mjs'
import {testFolder} from '#base/testing/folder.ts'

const facts = (isTest: boolean) => factsOf({version: '1.2.3', description: 'A console', isTest, arch: 'x64', date: '2026-01-02'})

test('a package on the runtime for tests says TEST in its name and version, and sorts before the release', () => {
	expect(facts(true)).toMatchObject({
		name: 'cordon-test',
		title: 'Cordon TEST',
		version: '1.2.3-TEST',
		debianVersion: '1.2.3~TEST',
		stem: 'cordon-TEST-1.2.3'
	})
	expect(JSON.stringify(facts(false))).not.toMatch(/TEST|-test/)
	expect(controlOf(facts(true), 1)).toMatch(/^Package: cordon-test\nVersion: 1\.2\.3~TEST\n/)
	expect(controlOf(facts(true), 1)).toMatch(/^Conflicts: cordon$/m)
	expect(controlOf(facts(false), 1)).toMatch(/^Conflicts: cordon-test$/m)
})

test('the icons have every size, and each file matches its header', async () => {
	const {png, ico, icns} = await drawIcons()
	const widthOf = (picture: Buffer) => picture.readUInt32BE(16)
	for (const size of linuxSizes) expect(widthOf(png[size] as Buffer)).toBe(size)
	const inIco = Array.from({length: ico.readUInt16LE(4)}, (_, index) => {
		const [length, offset] = [ico.readUInt32LE(6 + 16 * index + 8), ico.readUInt32LE(6 + 16 * index + 12)]
		return widthOf(ico.subarray(offset, offset + length))
	})
	expect(inIco).toEqual([16, 24, 32, 48, 64, 128, 256])
	expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
	expect(blocksOf(icns)).toContainEqual(['ic10', 1024])
	expect(Math.max(...linuxSizes.map(size => (png[size] as Buffer).length))).toBeLessThan(40_000)
})

/** Name and width of each picture in an icon of macOS. */
function blocksOf(icns: Buffer) {
	const found: [string, number][] = []
	for (let offset = 8; offset < icns.length; offset += icns.readUInt32BE(offset + 4))
		found.push([icns.toString('latin1', offset, offset + 4), icns.readUInt32BE(offset + 8 + 16)])
	return found
}

test('desktop entry and metainfo name the same program, and links go to it', () => {
	expect(desktopEntry(facts(false))).toContain('MimeType=x-scheme-handler/cordon;')
	expect(desktopEntry(facts(false))).toContain(`Icon=${appId}\n`)
	expect(metainfo(facts(false))).toContain(`<launchable type="desktop-id">${appId}.desktop</launchable>`)
})

test('Windows and macOS are configured in whole: one installer for all users, a universal and hardened application', () => {
	const config = configOf({facts: facts(false), electronVersion: '45.0.0', electronDist: undefined, output: '/out'})
	expect(config.asar).toBe(true)
	expect(config.nsis).toMatchObject({perMachine: true, deleteAppDataOnUninstall: false})
	expect(config.mac).toMatchObject({hardenedRuntime: true})
	expect(config.mac.target.map(({arch}) => arch)).toEqual([['universal'], ['universal']])
	const entitlements = readFileSync(config.mac.entitlements, 'utf8')
	expect([...entitlements.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit'])
	expect(config).not.toHaveProperty('electronDist')
})

test('on Windows and macOS a build without the hash of its archive stops', async () => {
	const folder = testFolder()
	const [archive, source, plist] = ['app.asar', 'app', 'Info.plist'].map(name => join(folder, name)) as [string, string, string]
	mkdirSync(source)
	writeFileSync(join(source, 'main.js'), 'start()')
	await createPackage(source, archive)
	const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
	writeFileSync(plist, `<key>ElectronAsarIntegrity</key><string>${hash}</string>`)
	expect(() => requireHash(plist, archive)).not.toThrow()
	writeFileSync(join(source, 'main.js'), 'startAnother()')
	await createPackage(source, archive)
	expect(() => requireHash(plist, archive)).toThrow('lacks the hash')
})

test.skipIf(process.platform === 'win32')('the command line keeps what an environment would slip into Node away', () => {
	const folder = testFolder()
	const planted = join(folder, 'planted.cjs')
	writeFileSync(planted, 'console.log("planted")')
	execFileSync('mkdir', ['-p', join(folder, 'resources/cli/dist/node')])
	execFileSync('ln', ['-s', process.execPath, join(folder, 'resources/cli/node')])
	writeFileSync(join(folder, 'resources/cli/dist/node/cli.js'), 'console.log(process.argv.slice(2).join("|"))')
	writeFileSync(join(folder, 'cordon'), launcher, {mode: 0o755})
	const env = {PATH: process.env['PATH'], NODE_OPTIONS: `--require ${planted}`}
	expect(execFileSync(join(folder, 'cordon'), ['a b', '--inspect'], {env, encoding: 'utf8'})).toBe('a b|--inspect\n')
	expect(windowsLauncher).toContain('set NODE_OPTIONS=\r\n')
})

test('packages that npm leaves out of the bill of materials come from the lockfile, except tools', () => {
	const packages = {
		'': {version: '1.2.3'},
		'node_modules/react': {version: '19.0.0', license: 'MIT'},
		'node_modules/@scope/part': {version: '2.0.0', license: 'MIT OR Apache-2.0'},
		'node_modules/a/node_modules/b': {version: '3.0.0'},
		'node_modules/vitest': {version: '5.0.0', dev: true}
	}
	const found = leftOut({packages}, [{name: 'react', version: '19.0.0'}])
	expect(found.map(({name, version, purl}) => [name, version, purl])).toEqual([
		['@scope/part', '2.0.0', 'pkg:npm/%40scope/part@2.0.0'],
		['b', '3.0.0', 'pkg:npm/b@3.0.0']
	])
	expect(found[0]?.licenses).toEqual([{expression: 'MIT OR Apache-2.0'}])
})
