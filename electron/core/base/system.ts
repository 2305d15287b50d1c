/** What every host takes from the operating system in the same way: time, chance, the profile's folder, proxy settings. */
import {randomBytes} from 'node:crypto'
import {chmodSync, lstatSync, mkdirSync, realpathSync, statSync} from 'node:fs'
import {homedir, userInfo} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {CordonError, messageOf, systemCode} from '#contract/errors.ts'

import type {Clock, ManagedFile} from './ports.ts'

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	sleep: async (ms, signal) => {
		signal?.throwIfAborted()
		try {
			await sleep(ms, undefined, signal === undefined ? {} : {signal})
		} catch (error) {
			// Node wraps the reason; callers want the reason itself.
			signal?.throwIfAborted()
			throw error
		}
	}
}

export function systemRandom(bytes: number): Uint8Array {
	return randomBytes(bytes)
}

/** A service may run under a numeric user that has neither a name nor a home. */
export function userName() {
	try {
		return userInfo().username
	} catch {
		return String(process.getuid?.() ?? 'unknown')
	}
}

export function homeFolder() {
	try {
		return homedir()
	} catch {
		return '/'
	}
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where window, headless console and command line keep a profile when none is named; `CORDON_PROFILE` wins. */
export function defaultProfileFolder(platform: string, environment: Environment, home: string) {
	const named = environment['CORDON_PROFILE']
	if (named !== undefined && named !== '') return resolve(named)
	if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Cordon')
	if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Cordon')
	const data = environment['XDG_DATA_HOME']
	return join(data !== undefined && data.startsWith('/') ? data : join(home, '.local', 'share'), 'cordon')
}

/** Where an administrator's configuration lies; `CORDON_MANAGED` names another file, which must then be there. */
export function managedFileOf(platform: string, environment: Environment): ManagedFile {
	const named = environment['CORDON_MANAGED']
	if (named !== undefined && named !== '') return {path: resolve(named), named: true}
	if (platform === 'darwin') return {path: '/Library/Application Support/Cordon/managed.json', named: false}
	if (platform !== 'win32') return {path: '/etc/cordon/managed.json', named: false}
	return {path: `${environment['ProgramData'] ?? 'C:\\ProgramData'}\\Cordon\\managed.json`, named: false}
}

/**
 * Makes the folder, for its owner alone, and returns its absolute path. Throws `storage` when that cannot be done, and when
 * somebody else owns it or put a link in its place: whoever can turn the link reads the keys. A folder on a disk that
 * cannot be written is taken as it is.
 */
export function prepareProfileFolder(folder: string, what: 'profile' | 'state' = 'profile') {
	const path = resolve(folder)
	try {
		makeFolder(path, 0o700)
		// systemd gives a service with DynamicUser= its state folder as a link of its own.
		if (what === 'profile') refuseLink(path)
		refuseOthers(path)
		closeToOthers(path)
		return path
	} catch (error) {
		if (error instanceof CordonError) throw error
		const reason = messageOf(error)
		throw new CordonError('storage', `The ${what} folder cannot be used: ${reason}.`, {field: what}, {cause: error})
	}
}

function refuseLink(path: string) {
	if (!lstatSync(path).isSymbolicLink()) return
	throw new CordonError('storage', `The profile folder ${path} is a link. Nothing in it was opened.`, {
		field: 'profile',
		fix: `Name the folder that it leads to: ${realpathSync(path)}`
	})
}

function refuseOthers(path: string) {
	const own = process.getuid?.()
	const {uid} = statSync(path)
	if (own === undefined || uid === own) return
	throw new CordonError('storage', `The folder ${path} belongs to another user (number ${uid}; you are ${own}). Nothing in it was opened.`, {
		field: 'profile',
		fix: 'Start Cordon as that user, or name a folder of your own.'
	})
}

function closeToOthers(path: string) {
	if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return
	try {
		chmodSync(path, 0o700)
	} catch (error) {
		// A copy that is kept as evidence is read as it is.
		if (!isReadOnly(error)) throw error
	}
}

function isReadOnly(error: unknown) {
	return systemCode(error) === 'EROFS'
}

/** One level after the other: Node's own `recursive` never returns below a folder that takes no others, such as /proc. */
export function makeFolder(path: string, mode = 0o777) {
	if (isFolder(path)) return
	const parent = dirname(path)
	if (parent !== path) makeFolder(parent, mode)
	try {
		mkdirSync(path, {mode})
	} catch (error) {
		// Another process may have made it meanwhile.
		if (!isFolder(path)) throw error
	}
}

function isFolder(path: string) {
	return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

/** The proxy variables as found, in upper and lower case. */
export function proxyEnvironmentOf(environment: Environment): Environment {
	const names = proxyNames.flatMap(name => [name, name.toLowerCase()])
	return Object.fromEntries(names.flatMap(name => (environment[name] === undefined ? [] : [[name, environment[name]]])))
}

/** Where programs are, who runs them, in which language and time zone: nothing else is inherited, and no secret. */
const programNames = [
	...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
	...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE'],
	...['ProgramFiles', 'ProgramData', 'NUMBER_OF_PROCESSORS', 'XDG_RUNTIME_DIR', 'VIRTUAL_ENV']
]

/** What a managed instance inherits. */
export function programEnvironmentOf(environment: Environment): Readonly<Record<string, string>> {
	const wanted = new Set(programNames.map(name => name.toUpperCase()))
	const isWanted = (name: string) => wanted.has(name.toUpperCase()) || name.startsWith('LC_')
	return Object.fromEntries(
		Object.entries(environment).flatMap(([name, value]) => (value !== undefined && isWanted(name) ? [[name, value]] : []))
	)
}

/** What the console of this computer needs of it. */
export function systemPorts(environment: Environment) {
	return {
		operator: userName(),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: proxyEnvironmentOf(environment),
		programEnvironment: programEnvironmentOf(environment),
		managedFile: managedFileOf(process.platform, environment)
	}
}
