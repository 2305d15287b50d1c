/** Runs a command of a program or an assistant through the common runner, under the name of its token. */
import type {CommandSpec} from '#shared/commands/define.ts'
import {CordonError, invalidArgument} from '#contract/errors.ts'
import type {AccessToken} from '#model/door.ts'

import type {Approvals} from '#core/approvals/approvals.ts'
import {runOrPropose, type Outcome} from '#core/actions/commands/proposing.ts'
import type {CommandRequest, Runner} from '#core/actions/commands/types.ts'
import type {Guards} from '#core/actions/guards/guards.ts'
import {resolved, type Ask} from '#core/playbooks/names.ts'
import {commandOf, refuseEndless, specOf, textOf, type CommandOrder, type Given, type Route} from '#core/playbooks/routes.ts'
import {knownIncident} from '#core/record/incidents/known.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Connections} from '#core/service/connections/types.ts'

export interface CommandDependencies {
	connections: Pick<Connections, 'find' | 'list'>
	runner: Pick<Runner, 'run'>
	guards: Pick<Guards, 'rules'>
	approvals: Pick<Approvals, 'list' | 'find'>
	log: Pick<IncidentLog, 'incidents'>
}

/** Who asks, over which way. */
export interface Caller {
	readonly token: AccessToken
	readonly surface: 'api' | 'assistant'
	/** The client's own name for itself. */
	readonly client?: string | undefined
	/** Aborted when the client stops waiting. */
	readonly signal: AbortSignal
}

/** Longest wait of a request for the API limit. */
const maxQuotaWaitMs = 5000

/** Id of the connection. One outside the token's scope looks the same as one that does not exist. */
export function connectionOf({connections}: Pick<CommandDependencies, 'connections'>, token: AccessToken, wanted?: string) {
	const own = connections.list().filter(({id}) => token.connections.includes(id))
	const [only] = own
	if (wanted === undefined && only !== undefined && own.length === 1) return only.id
	const names = own.map(({name}) => name).join(', ')
	if (wanted === undefined && own.length > 1) throw new CordonError('no_connection', `Name the connection: ${names}.`, {field: 'connection'})
	const found = own.find(({id, name}) => id === wanted || name.toLowerCase() === wanted?.toLowerCase())
	if (found === undefined) throw new CordonError('out_of_scope', 'This token has no such connection. Nothing was done.', {field: 'connection'})
	return found.id
}

/** Arguments and options of a request as strings. */
export function givenOf(...places: readonly unknown[]): Given {
	const given: Record<string, string | readonly string[]> = {}
	for (const place of places) {
		if (place === undefined || place === null) continue
		if (typeof place !== 'object' || Array.isArray(place)) throw invalidArgument('The body has to be a JSON object.', 'body')
		for (const [name, value] of Object.entries(place)) given[name] = textOf(name, value)
	}
	return given
}

interface Asked {
	order: CommandOrder
	spec: CommandSpec
	/** Id. */
	connection: string
	incident: string | null
}

/** Validates before anything is done; throws what is wrong. */
export async function askedOf(
	deps: CommandDependencies,
	{token}: Caller,
	name: string,
	given: Given,
	route: Pick<Route, 'path' | 'plain'>
): Promise<Asked> {
	const {connection, incident, confirm, ...rest} = given
	if (confirm !== undefined) throw invalidArgument('No program confirms: a person does, in Cordon. Leave confirm out.', 'confirm')
	const spec = specOf(name)
	if (spec.risk !== 'read' && token.scope !== 'change') throw new CordonError('out_of_scope', 'This token reads only. Nothing was done.')
	return {
		...{spec, order: commandOf(spec, rest, route)},
		connection: connectionOf(deps, token, connection === undefined ? undefined : String(connection)),
		incident: await knownIncident(deps.log, incident?.toString())
	}
}

/** Resolves names first. A change that needs a person becomes a pending approval; an assistant's always does. */
export async function runAsked(deps: CommandDependencies, caller: Caller, asked: Asked): Promise<Outcome> {
	const args = await resolved(askFor(deps, caller, asked), asked.order.args)
	const request = requestOf(deps, caller, asked, {...asked.order, args})
	const {id} = caller.token
	return await runOrPropose(deps, id, request, caller.surface === 'assistant' ? 'always' : 'needed')
}

/** Runs under the token's name. A change goes on after a disconnect: its outcome belongs in the log. */
export function askFor(deps: CommandDependencies, caller: Caller, where: Where): Ask {
	return async order => await deps.runner.run(requestOf(deps, caller, where, order))
}

type Where = Pick<Asked, 'connection' | 'incident'>

function requestOf(
	{guards}: Pick<CommandDependencies, 'guards'>,
	{token, surface, client, signal}: Caller,
	{connection, incident}: Where,
	{name, args, reason, ticket, wait, all, leaseHours, autoRelease = false}: Parameters<Ask>[0]
): CommandRequest {
	const {risk} = specOf(name)
	return {
		...{name, args, connection, incident, surface, maxQuotaWaitMs},
		facts: {token: token.name, ...(client !== undefined && {client})},
		requester: token.createdBy,
		...(risk === 'read' && {signal}),
		agreement: {reason: reason ?? undefined, ticket: ticket ?? undefined},
		options: {...(all === true && {all}), ...(typeof wait === 'number' && {wait})},
		...(risk === 'isolate' && {isolation: {code: 'service', lease: termOf(leaseHours ?? guards.rules(connection).leaseHours, autoRelease)}})
	}
}

function termOf(hours: number | null, auto: boolean) {
	if (auto) refuseEndless(hours)
	return {hours, auto}
}
