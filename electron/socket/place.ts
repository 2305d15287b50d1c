/**
 * The place where a console listens for command lines of its own user, and the secret that both sides prove. The file in the
 * profile names the socket; no path to either may contain a link or another user's folder.
 */
import {hash, randomBytes} from 'node:crypto'
import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmdirSync,
	rmSync,
	unlinkSync,
	writeFileSync,
	type Stats
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, isAbsolute, join} from 'node:path'

import {CordonError, systemCode} from '#contract/errors.ts'

/** The content of the file in the profile. */
export interface Place {
	/** Path of the socket, or name of the pipe on Windows. */
	readonly socket: string
	readonly secret: string
	readonly pid: number
}

export interface PlaceOptions {
	profile: string
	/** `XDG_RUNTIME_DIR`, if set. */
	runtimeFolder?: string | undefined
	/** Default: the system's. */
	temporary?: string | undefined
}

const fileName = 'command-line.json'
/** macOS allows 103 bytes plus the terminating zero, Linux 107. */
const longestPath = 103
const own = process.getuid?.()

/** The path of this profile's socket. Creates nothing. */
export function socketPath({profile, runtimeFolder, temporary = tmpdir()}: PlaceOptions) {
	if (process.platform === 'win32') return `\\\\.\\pipe\\cordon-${randomBytes(16).toString('hex')}`
	const name = `cordon-${hash('sha256', `${own} ${realpathSync(profile)}`, 'hex').slice(0, 16)}`
	const bases = [...(isPrivate(runtimeFolder) ? [runtimeFolder] : []), temporary, '/tmp']
	const paths = bases.map(base => join(base, name, 'socket'))
	const fitting = paths.find(path => Buffer.byteLength(path) <= longestPath)
	if (fitting === undefined) throw refused(`No folder for temporary files has a path that is short enough.`)
	return fitting
}

/** Creates the folder for its owner only and removes leftovers of a killed console. Throws `storage`. */
export function prepareSocket(path: string) {
	if (process.platform === 'win32') return
	const folder = dirname(path)
	try {
		mkdirSync(folder, {mode: 0o700})
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw refused(`The folder ${folder} cannot be made (${codeOf(error)}).`, error)
	}
	checkFolder(folder)
	const left = statOf(path)
	if (left === undefined) return
	if (!left.isSocket() || isForeign(left)) throw refused(`${path} is not a socket of this user: remove it.`)
	unlinkSync(path)
}

/** Call once it listens: restricts it to its owner, whatever the umask. */
export function closeToOthers(path: string) {
	if (process.platform !== 'win32') chmodSync(path, 0o600)
}

/** Throws `storage` for a socket in a place writable by others. */
export function checkSocket(path: string) {
	if (process.platform === 'win32') return
	if (!isAbsolute(path)) throw refused(`${path} is not a path of a socket.`)
	const folder = dirname(path)
	if (statOf(folder) === undefined) return
	checkFolder(folder)
	const stat = statOf(path)
	if (stat !== undefined && (!stat.isSocket() || isForeign(stat))) throw refused(`${path} is not a socket of this user.`)
}

/** Writes the whole file or nothing; the returned function removes it and the socket's folder. */
export function publish(profile: string, place: Place) {
	const file = join(profile, fileName)
	const draft = `${file}.${randomBytes(6).toString('hex')}`
	writeFileSync(draft, JSON.stringify(place), {mode: 0o600, flag: 'wx'})
	renameSync(draft, file)
	return () => {
		let isOurs = false
		try {
			isOurs = readPlace(profile)?.secret === place.secret
		} catch {
			// Damaged meanwhile, or another's: whoever reads it next says so.
		}
		if (isOurs) rmSync(file, {force: true})
		if (process.platform === 'win32') return
		rmSync(place.socket, {force: true})
		try {
			rmdirSync(dirname(place.socket))
		} catch {
			// The folder is not empty, or gone.
		}
	}
}

/** `undefined` without a listening console. Throws `storage` for a file writable by others. */
export function readPlace(profile: string): Place | undefined {
	const file = join(profile, fileName)
	const text = readOwn(file)
	if (text === undefined) return undefined
	try {
		const {socket, secret, pid} = JSON.parse(text) as Readonly<Record<string, unknown>> // `null` fails here, the rest is checked
		const isPlace = typeof socket === 'string' && typeof secret === 'string' && secret.length >= 32 && typeof pid === 'number'
		if (isPlace) return {socket, secret, pid}
	} catch {
		// Reported below.
	}
	throw refused(`${file} is damaged: remove it, or start the console again.`)
}

/** Checks the opened file, not its name. */
function readOwn(file: string) {
	let handle: number
	try {
		handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
	} catch (error) {
		if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
		throw refused(`${file} cannot be read (${codeOf(error)}).`, error)
	}
	try {
		const stat = fstatSync(handle)
		if (!stat.isFile() || isForeign(stat) || isOpen(stat))
			throw refused(`${file} can be read or changed by others: remove it, and start the console again.`)
		return readFileSync(handle, 'utf8')
	} finally {
		closeSync(handle)
	}
}

function checkFolder(folder: string) {
	const stat = lstatSync(folder)
	if (!stat.isDirectory()) throw refused(`${folder} is not a folder: remove it.`)
	if (isForeign(stat)) throw refused(`The folder ${folder} belongs to another user: have it removed.`)
	if (isOpen(stat)) throw refused(`The folder ${folder} is open to others: remove it.`)
}

function isPrivate(folder: string | undefined): folder is string {
	if (folder === undefined || !isAbsolute(folder)) return false
	const stat = statOf(folder)
	return stat !== undefined && stat.isDirectory() && !isForeign(stat) && !isOpen(stat)
}

/** Of the name itself, if it exists. */
function statOf(path: string) {
	return lstatSync(path, {throwIfNoEntry: false})
}

function isForeign({uid}: Stats) {
	return own !== undefined && uid !== own
}

function isOpen({mode}: Stats) {
	return own !== undefined && (mode & 0o077) !== 0
}

function refused(message: string, cause?: unknown) {
	return new CordonError('storage', `Command line and console cannot meet: ${message}`, {}, {cause})
}

function codeOf(error: unknown) {
	return systemCode(error) ?? String(error)
}
