/** Connections in a file for sharing: addresses and appearance, never a key; or with keys, encrypted with a passphrase. */
import {z} from 'zod'

import {connectionColours, ownEnvironments, type Connection} from './connection.ts'

const connectionsFormat = 'cordon-connections'

/** The file with keys; only core can open it. */
export const sealedFormat = 'cordon-connections-sealed'
/** Minimum length of the passphrase of an encrypted file. */
export const shortestPassphrase = 12

export interface ImportedConnection {
	readonly name: string
	readonly outcome: 'added' | 'there' | 'failed'
	readonly message: string
}

/** What an import says of one that is there, by name or by service and account. */
export function thereAlready(
	own: readonly Pick<Connection, 'name' | 'url' | 'clientId'>[],
	{name, url, clientId}: FiledConnection
): ImportedConnection | undefined {
	const isNamed = (one: {name: string}) => one.name.toLowerCase() === name.toLowerCase()
	const same = own.find(one => isNamed(one) || (one.url === url && one.clientId === clientId))
	if (same === undefined) return undefined
	const by = isNamed(same) ? 'name' : 'service and account'
	return {name, outcome: 'there', message: `${same.name} is there already: the same ${by}. It stays as it is.`}
}

export const filedConnectionSchema = z.strictObject({
	name: z.string().trim().min(1).max(60),
	url: z.string().trim().min(1).max(500),
	clientId: z.string().trim().min(1).max(200),
	insecure: z.boolean(),
	colour: z.enum(connectionColours),
	environment: z.enum(ownEnvironments),
	readOnly: z.boolean(),
	proxy: z.string().max(300).nullable().default(null),
	ca: z.string().max(262_144).nullable().default(null)
})
export type FiledConnection = z.infer<typeof filedConnectionSchema>

const fileSchema = z.strictObject({format: z.literal(connectionsFormat), version: z.literal(1), connections: z.array(filedConnectionSchema)})

/** The file's text. Omits the embedded sandbox, which belongs to one process. */
export function connectionsFileOf(connections: readonly Connection[]): string {
	const filed = connections.flatMap(filedOf)
	return `${JSON.stringify({format: connectionsFormat, version: 1, connections: filed}, null, 2)}\n`
}

function filedOf(connection: Connection): FiledConnection[] {
	const {name, url, clientId, insecure, colour, environment, readOnly, proxy, ca, sandbox} = connection
	if (sandbox || environment === 'sandbox') return []
	return [{name, url, clientId, insecure, colour, environment, readOnly, proxy, ca}]
}

/** Whether a text is an encrypted file, which needs its passphrase. */
export function isSealedFile(text: string) {
	return text.slice(0, 200).includes(`"${sealedFormat}"`)
}

type ReadFile = {ok: true; connections: readonly FiledConnection[]} | {ok: false; problem: string}

/** Reads a file of `connectionsFileOf`; refuses anything else with a sentence, including a key field. */
export function readConnectionsFile(text: string): ReadFile {
	let value: unknown
	try {
		value = JSON.parse(text)
	} catch {
		return {ok: false, problem: 'This is not a file of connections: it is not JSON.'}
	}
	const result = fileSchema.safeParse(value)
	if (result.success) return {ok: true, connections: result.data.connections}
	const issue = result.error.issues[0]
	const where = issue === undefined ? '' : issue.path.join('.')
	const extra = issue?.code === 'unrecognized_keys' ? ` It holds ${issue.keys.join(', ')}, which does not belong there.` : ''
	return {ok: false, problem: `This is not a file of connections${where === '' ? '' : ` (see ${where})`}.${extra}`}
}
