/** A change that a program or assistant requests and only a person may allow waits as an approval, requested once. */
import {checkArguments} from '#shared/commands/arguments.ts'
import {findCommand} from '#shared/commands/catalogue.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import {CordonError, hasCode} from '#contract/errors.ts'
import type {Approval} from '#model/approval.ts'

import type {Approvals} from '#core/approvals/approvals.ts'
import {digestOfJson} from '#base/canonical.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {tooMany} from './approving.ts'
import type {CommandRequest, Runner} from './types.ts'

interface ProposeDependencies {
	connections: Pick<Connections, 'find'>
	runner: Pick<Runner, 'run'>
	approvals: Pick<Approvals, 'list' | 'find'>
}

export interface Proposed {
	readonly id: string
	readonly state: 'pending_approval' | Exclude<Approval['state'], 'pending'>
	readonly title: string
	readonly requestedAt: string
	readonly expiresAt: string
	readonly outcome: string | null
}

export type Outcome = {result: CommandResult} | {proposed: Proposed}

/** Per requester, so that nobody floods the people who approve. */
export const mostOpen = 20

/**
 * Carries out a change or proposes it: with `needed`, where it must be typed or approved by others; with `always`, each.
 * `asker` is the ID of a token, a stream or another requester; repeating a waiting change returns the same approval.
 */
export async function runOrPropose(
	deps: ProposeDependencies,
	asker: string,
	request: CommandRequest,
	propose: 'needed' | 'always' = 'needed'
): Promise<Outcome> {
	if (findCommand(request.name)?.risk === 'read') return {result: await deps.runner.run(request)}
	const {approvals} = deps
	const {id, open} = nextId(deps, asker, request)
	if (open !== undefined) return {proposed: viewOf(open)}
	const room = approvals.list(['pending']).filter(one => isOf(asker, one.id)).length < mostOpen
	if (!room && propose === 'always') throw tooMany()
	try {
		return {result: await deps.runner.run({...request, approval: id, propose: room ? propose : 'refused'})}
	} catch (error) {
		const asked = hasCode(error, 'approval_needed') ? approvals.find(id) : undefined
		if (asked?.state !== 'pending') throw error
		return {proposed: viewOf(asked)}
	}
}

/** The state of an approval that this requester proposed. Throws `unknown_approval`, also for those of others. */
export function proposedBy({approvals}: Pick<ProposeDependencies, 'approvals'>, asker: string, id: string): Proposed {
	const found = isOf(asker, id) ? approvals.find(id) : undefined
	if (found === undefined) throw new CordonError('unknown_approval', undefined, {field: 'approval'})
	return viewOf(found)
}

/** The ID tells the requester and the change; an ID of a closed approval is never reused. */
function nextId({connections, approvals}: ProposeDependencies, asker: string, request: CommandRequest) {
	const {agreement, isolation, incident = null} = request
	const spec = findCommand(request.name)
	if (spec === undefined) throw new CordonError('unknown_command', undefined, {field: 'name'})
	const args = checkArguments(spec, request.args)
	const {id: connection} = connections.find(request.connection)
	const what = {name: spec.name, args, connection, incident, agreement: {...agreement}, isolation: {...isolation}}
	const begin = `${ownerOf(asker)}${digestOfJson(what).slice(0, 32)}-`
	for (let count = 0; ; count += 1) {
		const open = approvals.find(`${begin}${count}`)
		if (open === undefined || open.state === 'pending' || open.state === 'approved') return {id: `${begin}${count}`, open}
	}
}

const ownerOf = (asker: string) => `${digestOfJson(asker).slice(0, 16)}-`

const isOf = (asker: string, id: string) => id.startsWith(ownerOf(asker))

function viewOf({id, state, title, requestedAt, expiresAt, outcome}: Approval): Proposed {
	return {id, state: state === 'pending' ? 'pending_approval' : state, title, requestedAt, expiresAt, outcome}
}
