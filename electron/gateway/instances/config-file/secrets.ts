/** Secrets of the file's instances, as verifiers and keys for the access check. */
import {X509Certificate} from 'node:crypto'
import {constants} from 'node:fs'
import {resolve} from 'node:path'

import {hashToken} from '../../forwarder/access/password.ts'
import type {AccessRule} from '../../forwarder/types.ts'
import {readProblem, readWithOwner, type FileOwner} from './owner-only.ts'
import type {FileAccess} from './schema.ts'

type Path = readonly (string | number)[]

export interface SecretSource {
	/** Folder of the configuration file, the base of relative paths. */
	readonly folder: string
	readonly owner: FileOwner
	/** Why others may read the configuration file itself; `null` when only its owner can. */
	readonly exposed: string | null
	hashPassword(password: string): Promise<string>
	tell(path: Path, problem: string, fix: string): void
}

const most = 1_048_576

type Of<K extends FileAccess['kind']> = Extract<FileAccess, {kind: K}>

/** Reports problems and leaves missing values empty: the file is refused then. */
export async function accessRule(access: FileAccess, path: Path, source: SecretSource): Promise<AccessRule> {
	switch (access.kind) {
		case 'none':
			return access
		case 'basic':
			return {kind: 'basic', realm: access.realm, users: await usersOf(access, [...path, 'users'], source)}
		case 'bearer':
			return {kind: 'bearer', header: access.header, verifiers: await tokensOf(access, path, source)}
		case 'hmac': {
			const {preset, toleranceS} = access
			return {kind: 'hmac', preset, toleranceS, key: await signingKeyOf(access, path, source)}
		}
		case 'certificate':
			return {kind: 'certificate', authorities: await authoritiesOf(access, path, source), names: access.names}
	}
}

async function usersOf({users}: Of<'basic'>, path: Path, source: SecretSource) {
	const seen = new Set<string>()
	const found: {name: string; verifier: string}[] = []
	for (const [index, user] of users.entries()) {
		const here = [...path, index]
		if (seen.has(user.name)) source.tell([...here, 'name'], 'is here a second time', 'remove one of the two')
		seen.add(user.name)
		if (!oneOf(user, ['passwordFile', 'passwordHash', 'password'], here, source)) continue
		found.push({name: user.name, verifier: user.passwordHash ?? (await hashOf(user, here, source))})
	}
	return found
}

async function hashOf(user: Of<'basic'>['users'][number], path: Path, source: SecretSource) {
	if (user.password !== undefined) {
		plain('password', 'passwordFile or passwordHash', path, source)
		return await source.hashPassword(user.password)
	}
	const password = await lineIn(user.passwordFile, [...path, 'passwordFile'], 'password', source)
	return password === '' ? '' : await source.hashPassword(password)
}

async function tokensOf({tokens, tokenFile, tokenHashes}: Of<'bearer'>, path: Path, source: SecretSource) {
	if (tokens === undefined && tokenFile === undefined && tokenHashes === undefined)
		source.tell(path, 'has no token', 'add tokenFile, tokenHashes or tokens')
	if (tokens !== undefined) plain('tokens', 'tokenFile or tokenHashes', path, source)
	const listed = tokenFile === undefined ? [] : await tokensIn(tokenFile, [...path, 'tokenFile'], source)
	return [...(tokenHashes ?? []), ...[...(tokens ?? []), ...listed].map(hashToken)]
}

async function tokensIn(file: string, path: Path, source: SecretSource) {
	const text = await secretFile(file, path, source)
	if (text === undefined) return []
	const tokens = text
		.split(/\r?\n/)
		.map(line => line.trim())
		.filter(line => line !== '' && !line.startsWith('#'))
	if (tokens.length === 0) source.tell(path, 'names a file without a token', 'write one token a line')
	if (tokens.some(token => token.length < 16)) source.tell(path, 'names a file with a token of fewer than 16 characters', 'choose longer tokens')
	return tokens
}

async function signingKeyOf(access: Of<'hmac'>, path: Path, source: SecretSource) {
	if (!oneOf(access, ['signingKeyFile', 'signingKey'], path, source)) return ''
	if (access.signingKey !== undefined) {
		plain('signingKey', 'signingKeyFile', path, source)
		return access.signingKey
	}
	return await lineIn(access.signingKeyFile, [...path, 'signingKeyFile'], 'key', source)
}

async function authoritiesOf(access: Of<'certificate'>, path: Path, source: SecretSource) {
	if (!oneOf(access, ['authoritiesFile', 'authorities'], path, source)) return ''
	const key = access.authorities === undefined ? 'authoritiesFile' : 'authorities'
	const text = access.authorities ?? (await openFile(access.authoritiesFile ?? '', [...path, key], source))
	if (text !== undefined && !isCertificate(text)) source.tell([...path, key], 'holds no certificate', 'give the authorities in PEM form')
	return text ?? ''
}

function isCertificate(pem: string) {
	try {
		return new X509Certificate(pem).subject !== undefined
	} catch {
		return false
	}
}

/** Exactly one of several keys. */
function oneOf(value: Readonly<Record<string, unknown>>, names: readonly string[], path: Path, source: SecretSource) {
	const given = names.filter(name => value[name] !== undefined)
	if (given.length === 1) return true
	const [first = '', ...rest] = names
	if (given.length === 0) source.tell(path, `needs ${[...rest, first].join(' or ')}`, `add ${first}`)
	else source.tell([...path, given[1] ?? first], `contradicts ${given[0]}`, 'keep one of the two')
	return false
}

/** A secret in the configuration file itself: allowed only if nobody else can read it. */
function plain(key: string, instead: string, path: Path, source: SecretSource) {
	if (source.exposed === null) return
	source.tell([...path, key], `is a secret in a file that ${source.exposed}`, `run chmod 600 on this file, or use ${instead}`)
}

async function secretFile(file: string, path: Path, source: SecretSource) {
	const read = await readNamed(file, path, source)
	if (read === undefined) return undefined
	if (read.exposed !== null) source.tell(path, `names a file that ${read.exposed}`, `run chmod 600 ${file}`)
	return read.bytes.toString('utf8')
}

async function openFile(file: string, path: Path, source: SecretSource) {
	return (await readNamed(file, path, source))?.bytes.toString('utf8')
}

async function readNamed(file: string, path: Path, {folder, owner, tell}: SecretSource) {
	try {
		// A pipe without a writer would never open, and no signal ends that.
		return await readWithOwner(resolve(folder, file), owner, most, constants.O_NONBLOCK)
	} catch (error) {
		tell(path, `names a file that ${readProblem(error)}: ${file}`, 'name a file that this user can read')
		return undefined
	}
}

/** Certificate and key of the server, from their files. */
export async function serverCredentials(files: {certificateFile: string; keyFile: string}, path: Path, source: SecretSource) {
	const certificate = await openFile(files.certificateFile, [...path, 'certificateFile'], source)
	const key = await secretFile(files.keyFile, [...path, 'keyFile'], source)
	return certificate === undefined || key === undefined ? null : {certificate, key}
}

async function lineIn(file: string | undefined, path: Path, what: string, source: SecretSource) {
	const text = await secretFile(file ?? '', path, source)
	const line = text?.split(/\r?\n/)[0] ?? ''
	if (text !== undefined && line === '') source.tell(path, `names a file without a ${what}`, 'write it into the first line')
	return line
}
