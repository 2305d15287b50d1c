import type {Connections} from '#core/service/connections/types.ts'
import {CordonError} from '#contract/errors.ts'
import {type Connection, type ConnectionInput, serverPresets} from '#model/connection.ts'

import {shown, usage} from './faults.ts'
import type {Globals} from './globals.ts'
import type {CliHost} from './host.ts'

export async function chooseConnection(connections: Connections, globals: Globals, host: CliHost): Promise<Connection> {
	const {server, clientId, apiKeyFile} = globals
	if (server !== undefined && clientId !== undefined && apiKeyFile !== undefined) {
		const {readSecretFile} = await import('./key.ts')
		const apiKey = await readSecretFile(host, apiKeyFile, 'api-key-file')
		return connections.addTransient({...transientInput(server, clientId, globals.insecure), apiKey})
	}
	return storedConnection(connections, globals.connection)
}

export function storedConnection(connections: Pick<Connections, 'list' | 'find'>, name: string | undefined): Connection {
	const all = connections.list()
	if (all.length === 0) throw noConnection()
	if (name !== undefined) return connections.find(name)
	const [only, second] = all.filter(({stopped}) => stopped !== true)
	if (only !== undefined && second === undefined) return only
	const names = all.map(connection => connection.name)
	throw usage(`There are several connections: ${names.join(', ')}`, `choose one with --connection ${shown(names[0] ?? '')}`, 'connection')
}

/** The ID of the one named; a list without one is of all. */
export function namedConnection(connections: Pick<Connections, 'find'>, {connection}: Globals) {
	return connection === undefined ? undefined : connections.find(connection).id
}

/** Returns the address of a region's short name; any other text unchanged. */
export function serverUrl(text: string) {
	return serverPresets.find(({region}) => region === text.toUpperCase())?.url ?? text
}

function transientInput(server: string, clientId: string, insecure: boolean): ConnectionInput {
	const url = serverUrl(server)
	return {name: url, url, clientId, insecure, colour: 'grey', environment: 'production', readOnly: false}
}

function noConnection() {
	const ways =
		'Add your service with "cordon connections add NAME --server URL --client-id ID", or start the console on the sandbox with "npm start" ("cordon sandbox" serves the sandbox alone)'
	return new CordonError('no_connection', `There is no connection on this profile, and no sandbox runs on it. ${ways}.`, {
		field: 'connection',
		fix: ways
	})
}
