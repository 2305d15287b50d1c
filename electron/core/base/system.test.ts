import {chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from './testing/folder.ts'
import {
	defaultProfileFolder,
	managedFileOf,
	makeFolder,
	prepareProfileFolder,
	programEnvironmentOf,
	proxyEnvironmentOf,
	systemClock
} from './system.ts'

let folder: string
beforeEach(() => void (folder = testFolder()))

test('each system has its own place for the profile', () => {
	expect(defaultProfileFolder('linux', {}, '/home/ada')).toBe('/home/ada/.local/share/cordon')
	expect(defaultProfileFolder('linux', {XDG_DATA_HOME: '/data'}, '/home/ada')).toBe('/data/cordon')
	expect(defaultProfileFolder('linux', {XDG_DATA_HOME: 'relative'}, '/home/ada')).toBe('/home/ada/.local/share/cordon')
	expect(defaultProfileFolder('darwin', {}, '/Users/ada')).toBe('/Users/ada/Library/Application Support/Cordon')
	expect(defaultProfileFolder('win32', {APPDATA: '/roaming'}, '/Users/ada')).toBe('/roaming/Cordon')
	expect(defaultProfileFolder('linux', {CORDON_PROFILE: '/elsewhere'}, '/home/ada')).toBe('/elsewhere')
})

test('the configuration of an administrator lies outside every profile, and can be named', () => {
	expect(managedFileOf('linux', {})).toEqual({path: '/etc/cordon/managed.json', named: false})
	expect(managedFileOf('darwin', {}).path).toBe('/Library/Application Support/Cordon/managed.json')
	expect(managedFileOf('win32', {ProgramData: 'D:\\Data'}).path).toBe('D:\\Data\\Cordon\\managed.json')
	expect(managedFileOf('linux', {CORDON_MANAGED: '/srv/m.json'})).toEqual({path: '/srv/m.json', named: true})
	expect(managedFileOf('linux', {CORDON_MANAGED: ''}).named).toBe(false)
})

test('the profile folder belongs to its owner alone', () => {
	const path = prepareProfileFolder(join(folder, 'a', 'b'))
	expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a folder that was open to others is closed, one that is a link is refused, a state folder may be one', () => {
	const open = join(folder, 'open')
	mkdirSync(open)
	chmodSync(open, 0o755)
	expect(statSync(prepareProfileFolder(open)).mode & 0o777).toBe(0o700)
	const link = join(folder, 'link')
	symlinkSync(open, link)
	expect(() => prepareProfileFolder(link)).toThrow(
		expect.objectContaining({
			code: 'storage',
			message: expect.stringContaining('is a link'),
			details: {field: 'profile', fix: expect.stringContaining(open)}
		})
	)
	expect(prepareProfileFolder(link, 'state')).toBe(link)
})

test.runIf(process.getuid?.() === 0)('a folder of another user is refused, and nothing in it is changed', () => {
	const theirs = join(folder, 'theirs')
	mkdirSync(theirs)
	chmodSync(theirs, 0o755)
	chownSync(theirs, 65534, 65534)
	expect(() => prepareProfileFolder(theirs)).toThrow('belongs to another user (number 65534; you are 0)')
	expect(statSync(theirs).mode & 0o777).toBe(0o755)
})

test('a profile folder that cannot be made is an error in words', () => {
	writeFileSync(join(folder, 'file'), '')
	expect(() => prepareProfileFolder(join(folder, 'file', 'profile'))).toThrow('The profile folder cannot be used')
	expect(() => prepareProfileFolder(join(folder, 'file'))).toThrow('The profile folder cannot be used')
})

test.runIf(process.platform === 'linux')('a folder where none can be made is an error at once', () => {
	expect(() => makeFolder('/proc/x')).toThrow('ENOENT')
	expect(() => prepareProfileFolder('/proc/cordon/state', 'state')).toThrow(/^The state folder cannot be used: ENOENT/)
})

test('a sleep ends with the reason of its signal', async () => {
	const stop = new AbortController()
	const sleeping = systemClock.sleep(60_000, stop.signal)
	stop.abort(new Error('enough'))
	await expect(sleeping).rejects.toThrow('enough')
	await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow('enough')
})

test('a managed program inherits what programs need, and nothing that may be a secret', () => {
	const needed = {PATH: '/usr/bin', HOME: '/home/ada', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', Path: 'C:\\Windows'}
	const secret = {CORDON_PASSPHRASE: 'canary', AWS_SECRET_ACCESS_KEY: 'canary', NODE_OPTIONS: '--inspect', LD_PRELOAD: '/x'}
	expect(programEnvironmentOf({...needed, ...secret, GONE: undefined})).toEqual(needed)
})

test('of the environment only proxy settings are taken', () => {
	expect(proxyEnvironmentOf({https_proxy: 'http://proxy:1', NO_PROXY: 'a', SECRET: 'x'})).toEqual({https_proxy: 'http://proxy:1', NO_PROXY: 'a'})
})
