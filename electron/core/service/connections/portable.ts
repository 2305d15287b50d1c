/** Connections out of this profile with their keys, and into it. */
import {randomBytes} from 'node:crypto'
import {z} from 'zod'

import {parsedJson} from '#shared/is-record.ts'
import {derivePassphraseKey, seal, unseal} from '#base/sealing.ts'
import {CordonError, messageWithFix, usageError, invalidArgument} from '#contract/errors.ts'
import {type Connection, ownEnvironmentOf, proxyLoginSchema} from '#model/connection.ts'
import {filedConnectionSchema, type ImportedConnection, sealedFormat, shortestPassphrase, thereAlready} from '#model/connections-file.ts'
import {add} from './edit.ts'
import type {Dependencies} from './dependencies.ts'
import {listStored} from './rows.ts'

/**
 * All stored connections with their keys, sealed. Says so in the log before a key is read; rejects with
 * `log_unavailable`, or with `secret_unavailable` when one key cannot be read, and then there is no file.
 */
export async function exportSealed(deps: Dependencies, passphrase: string, reason: string) {
	deps.managed.connections.admitExport()
	if (passphrase.length < shortestPassphrase)
		throw passphraseFault(`The passphrase needs at least ${shortestPassphrase} characters: the file leaves this computer.`)
	if (reason.trim() === '') throw usageError('Say why the keys leave: the log keeps the reason.', 'reason')
	const own = stored(deps).filter(({sandbox}) => !sandbox)
	if (own.length === 0) throw new CordonError('no_connection', 'There is no connection of your own to export.')
	const names = own.map(connection => connection.name)
	deps.log?.({
		kind: 'secret.revealed',
		surface: deps.surface,
		message: `API keys of ${names.join(', ')} exported, encrypted with a passphrase: ${reason.trim()}`,
		data: {connections: names, reason: reason.trim()}
	})
	return await sealConnections(await Promise.all(own.map(connection => withSecrets(deps, connection))), passphrase)
}

async function withSecrets({keys}: Dependencies, connection: Connection): Promise<SealedConnection> {
	const {name, url, clientId, insecure, colour, environment, readOnly, proxy, ca} = connection
	const apiKey = await keys.read(connection)
	const login = await keys.readProxyLogin(connection)
	const colon = login?.indexOf(':') ?? -1
	return {
		...{name, url, clientId, insecure, colour, readOnly, proxy, ca, apiKey},
		environment: ownEnvironmentOf(environment),
		proxyLogin: login === undefined ? null : {user: login.slice(0, colon), password: login.slice(colon + 1)}
	}
}

/** Adds what is not there yet, read-only whatever the file says; what is there stays as it is. */
export async function importSealed(deps: Dependencies, text: string, passphrase: string): Promise<readonly ImportedConnection[]> {
	const results: ImportedConnection[] = []
	for (const connection of await openSealed(text, passphrase)) results.push(await importOne(deps, connection))
	return results
}

async function importOne(deps: Dependencies, connection: SealedConnection): Promise<ImportedConnection> {
	const {name} = connection
	const there = thereAlready(stored(deps), connection)
	if (there !== undefined) return there
	try {
		await add(deps, {...connection, readOnly: true})
		return {name, outcome: 'added', message: 'Added, read-only, with its key.'}
	} catch (error) {
		return {name, outcome: 'failed', message: messageWithFix(error)}
	}
}

function stored({database}: Dependencies) {
	return listStored(database).map(({connection}) => connection)
}

/* Connections with their keys in one file that only its passphrase opens. */

/** A file travels, unlike the profile: guessing costs 128 MB and a good third of a second for each try. */
const cost = 2 ** 17
const mostCost = 2 ** 18
const purpose = 'cordon connections v1'
const name = 'connections'
/** The largest file that an import reads, in characters. */
const mostSealed = 20_000_000

const fileSchema = z.strictObject({
	format: z.literal(sealedFormat),
	version: z.literal(1),
	salt: z.base64().max(100),
	cost: z
		.int()
		.min(2 ** 15)
		.max(mostCost),
	sealed: z.base64().max(mostSealed)
})

const entrySchema = filedConnectionSchema.extend({apiKey: z.string().min(1).max(500), proxyLogin: proxyLoginSchema.nullable()})
type SealedConnection = z.infer<typeof entrySchema>

const contentSchema = z.array(entrySchema)

async function sealConnections(connections: readonly SealedConnection[], passphrase: string) {
	const salt = randomBytes(16).toString('base64')
	const key = await derivePassphraseKey(passphrase, salt, cost)
	const sealed = seal({key, purpose, name}, JSON.stringify(connections), randomBytes)
	if (sealed.length > mostSealed)
		throw usageError('The file would be larger than an import accepts. No file was made. Shorten the certificate authorities.')
	return `${JSON.stringify({format: sealedFormat, version: 1, salt, cost, sealed}, null, 2)}\n`
}

/** Throws `invalid_argument`: no such file, or a passphrase that does not open it. Nothing is changed by either. */
async function openSealed(text: string, passphrase: string) {
	const file = fileSchema.safeParse(parsedJson(text))
	if (!file.success) throw invalidArgument('This is not an encrypted connections file, or part of it is missing.', 'text')
	const key = await derivePassphraseKey(passphrase, file.data.salt, file.data.cost)
	const content = unseal({key, purpose, name}, file.data.sealed)
	if (content === undefined) throw passphraseFault('The passphrase does not open this file, or the file was changed. Nothing was imported.')
	return contentSchema.parse(JSON.parse(content))
}

function passphraseFault(message: string) {
	return invalidArgument(message, 'passphrase')
}
