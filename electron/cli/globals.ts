import {checkValue} from '#shared/commands/values.ts'
import {usageError} from '#contract/errors.ts'
import type {Profile} from '#core/app/profile.ts'
import {knownIncident} from '#core/record/incidents/known.ts'

import type {Values} from './words.ts'

export interface Globals {
	readonly profile: string | undefined
	readonly connection: string | undefined
	readonly server: string | undefined
	readonly clientId: string | undefined
	readonly apiKeyFile: string | undefined
	readonly passphraseFile: string | undefined
	readonly insecure: boolean
	readonly incident: string | undefined
	/** How long to wait for the API limit at most. */
	readonly maxWaitMs: number | undefined
}

/** That new entries join: the one named, else the active one. Throws `not_found`. */
export async function incidentIn({incident}: Pick<Globals, 'incident'>, {settings, log}: Pick<Profile, 'settings' | 'log'>) {
	return (await knownIncident(log, incident)) ?? settings.get().activeIncident
}

const adding = 'connections add'
const editing = 'connections edit'
/** The others work with what the profile keeps of a connection, or with none. */
const takesServer: ReadonlySet<string | undefined> = new Set([undefined, adding, editing, 'connections test'])

/** Throws `usage` for contradictory options. `command` is a subcommand's name. */
export function readGlobals(values: Values, command?: string) {
	const text = (name: string) => values.get(name)?.[0] ?? undefined
	const globals: Globals = {
		profile: text('profile'),
		connection: text('connection'),
		server: text('server'),
		clientId: text('client-id'),
		apiKeyFile: text('api-key-file'),
		passphraseFile: text('passphrase-file'),
		insecure: values.has('insecure'),
		incident: text('incident'),
		maxWaitMs: readMaxWait(text('max-wait'))
	}
	if (values.has('json') && values.has('jsonl')) throw usageError('--json and --jsonl cannot be given together: choose one.', 'json')
	for (const [name, given] of values) if (given[0]?.trim() === '') throw usageError(`--${name} is empty: give a value.`, name)
	if (globals.server !== undefined && !takesServer.has(command))
		throw usageError(`${command} takes no service but a stored connection: leave out --server.`, 'server')
	if (command === editing) checkEdit(globals)
	else checkServer(globals, command === adding)
	return globals
}

function checkServer({connection, server, clientId, apiKeyFile, insecure}: Globals, adds: boolean) {
	if (connection !== undefined && (server !== undefined || adds))
		throw usageError('--connection names a stored connection and --server another service: give one of them.', 'connection')
	if (server === undefined && adds)
		throw usageError('connections add needs --server URL: the address of the service, or NAM, EU or APJC.', 'server')
	if (server !== undefined && clientId === undefined) throw usageError('--server needs --client-id ID.', 'client-id')
	if (server !== undefined && apiKeyFile === undefined && !adds)
		throw usageError('--server needs --api-key-file FILE, or --api-key-file - to read the key from standard input.', 'api-key-file')
	if (server === undefined && (clientId !== undefined || apiKeyFile !== undefined || insecure))
		throw usageError('--client-id, --api-key-file and --insecure belong to --server URL.', 'server')
}

/** Each of these options changes one thing of a stored connection. */
function checkEdit({connection, server, clientId}: Globals) {
	if (connection !== undefined) throw usageError('connections edit names its connection by a word: leave --connection out.', 'connection')
	if (server !== undefined || clientId !== undefined)
		throw usageError(
			'connections edit leaves the service and the account as they are, because the local data, the protected computers and the leases of a connection belong to them. Add another connection with "cordon connections add", or change it under Connections in the window: that asks for the key again and deletes the copies.',
			server === undefined ? 'client-id' : 'server'
		)
}

function readMaxWait(text: string | undefined) {
	if (text === undefined) return undefined
	const checked = checkValue(text, {kind: 'integer', summary: '', required: false, many: 'no', min: 0, max: 86_400})
	if ('problem' in checked) throw usageError(`--max-wait ${checked.problem}: ${checked.fix}.`, 'max-wait')
	return Number(checked.value) * 1000
}
