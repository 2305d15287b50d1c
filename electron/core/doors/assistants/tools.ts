/**
 * The tools of an assistant: the operations of the local API, each on a named connection. Reading tools read; changing tools
 * exist only for an assistant that may propose, and only propose.
 */
import type {AccessToken} from '#model/door.ts'

import {proposedBy, type Proposed} from '#core/actions/commands/proposing.ts'
import {askedOf, connectionOf, givenOf, runAsked, type Caller, type CommandDependencies} from '../commands.ts'
import {operations, type JsonSchema, type Operation} from '../operations.ts'
import {ownData, type OwnDependencies} from '../own-data.ts'
import type {Told} from './told.ts'

export interface ToolDependencies extends CommandDependencies {
	/** Omitted where this process has no local data. */
	own?: Pick<OwnDependencies, 'inventories' | 'playbooks'> | undefined
}

const approvalTool = 'approval'

export interface Tool {
	readonly name: string
	readonly title: string
	readonly description: string
	readonly inputSchema: JsonSchema
	readonly reads: boolean
	readonly answer: (caller: Caller, given: Readonly<Record<string, unknown>>) => Promise<Omit<Told, 'connection'>>
}

/** The tools that this token may use. */
export function toolsFor(deps: ToolDependencies, token: AccessToken): readonly Tool[] {
	const names = namesOf(deps, token)
	return operations
		.filter(one => isAtHand(deps, one) && (one.scope === 'read' || token.scope === 'change'))
		.map(operation => (operation.scope === 'read' ? readTool : proposingTool)(deps, operation, names))
}

function isAtHand({own}: ToolDependencies, {id, command}: Operation) {
	return command !== undefined || id === approvalTool || own !== undefined
}

function namesOf({connections}: Pick<ToolDependencies, 'connections'>, token: AccessToken) {
	return connections
		.list()
		.filter(({id}) => token.connections.includes(id))
		.map(({name}) => name)
}

/** The token limited to the named connection, and that connection's name. Throws `out_of_scope`. */
export function narrowed(deps: Pick<ToolDependencies, 'connections'>, token: AccessToken, wanted: unknown) {
	const id = connectionOf(deps, token, typeof wanted === 'string' ? wanted : undefined)
	return {token: {...token, connections: [id]}, connection: deps.connections.find(id).name}
}

function schemaOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[], connections: readonly string[]): JsonSchema {
	const connection = {type: 'string', description: `Name of the connection: ${connections.join(', ')}.`}
	return {
		type: 'object',
		properties: {...properties, connection},
		required: [...new Set([...required, 'connection'])],
		additionalProperties: false
	}
}

function readTool(deps: ToolDependencies, operation: Operation, names: readonly string[]): Tool {
	const {id, summary, command, params, query, required} = operation
	return {
		...{name: id, title: command?.title ?? id.replaceAll('_', ' '), description: summary, reads: true},
		inputSchema: schemaOf({...params, ...query}, [...Object.keys(params), ...required], names),
		answer: async (caller, given) =>
			command === undefined ? await ownTold(deps, caller, id, given) : await commandTold(deps, caller, operation, given)
	}
}

/** Sends nothing: only a person in Cordon can approve the change, never an answer of the client. */
function proposingTool(deps: ToolDependencies, operation: Operation, names: readonly string[]): Tool {
	const {id, summary, command, params, query, body, required} = operation
	return {
		...{name: `propose_${id}`, title: `Propose: ${command?.title ?? id}`, reads: false},
		description: `Proposes, and waits for a person to approve it in Cordon: ${summary} ${approvalTool} tells how it stands.`,
		inputSchema: schemaOf({...params, ...query, ...body}, [...Object.keys(params), ...required], names),
		answer: async (caller, given) => await commandTold(deps, caller, operation, given)
	}
}

async function commandTold(deps: ToolDependencies, caller: Caller, {id, path}: Operation, given: Readonly<Record<string, unknown>>) {
	const asked = await askedOf(deps, caller, id, givenOf(given), {path: path.split('/').filter(Boolean)})
	const outcome = await runAsked(deps, caller, asked)
	if ('proposed' in outcome) return proposedTold(outcome.proposed)
	const {message, total, entry, data} = outcome.result
	return {facts: {total, entry}, message, records: data}
}

function proposedTold({id, state, requestedAt, expiresAt, title, outcome}: Proposed): Omit<Told, 'connection'> {
	return {facts: {approval: id, state, requestedAt, expiresAt}, message: title, records: outcome}
}

async function ownTold({own, connections, approvals}: ToolDependencies, {token}: Caller, id: string, given: Readonly<Record<string, unknown>>) {
	if (id === approvalTool) return proposedTold(proposedBy({approvals}, token.id, String(given['approval'])))
	// There is no such tool without it.
	if (own === undefined) return {records: null}
	const {value, next} = await ownData({...own, connections, approvals}, token, id, givenOf(given))
	return {facts: {next}, records: value}
}
