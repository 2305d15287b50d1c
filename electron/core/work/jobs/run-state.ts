/** One job in this process: what it stands on, its targets in memory, and who may end what. */
import type {Connection} from '#model/connection.ts'
import type {LogEntry} from '#model/incident.ts'
import type {AgreedPlan} from '#model/job.ts'

import type {RunContext} from '#core/engine/types.ts'
import {actionOf} from './actions/action-of.ts'
import {agreedIn, factsOf, openTargets} from './rows.ts'
import type {JobServices} from './types.ts'

/** What a run stands on beside the engine itself. */
export async function partsOf(
	{connections, inventory: open, clock}: JobServices,
	connection: Connection,
	plan: Pick<AgreedPlan, 'id' | 'action'>
) {
	const client = connections.client(connection.id)
	const inventory = await open(connection.id)
	return {connection, client, inventory, action: actionOf({client, inventory, clock}, plan.action, plan.id)}
}

export type RunState = Awaited<ReturnType<typeof openRun>>

export async function openRun(services: JobServices, context: RunContext) {
	const {id, subject} = context.run
	const plan = agreedIn(context.definition)
	const deps = await partsOf(services, services.connections.find(subject ?? ''), {action: plan.action, id})
	context.over.throwIfAborted()
	const facts = factsOf(context.run)
	return {
		...deps,
		...{services, context, id, plan},
		facts,
		/** When it was confirmed, in Unix milliseconds. */
		confirmedAt: context.run.startedAt,
		targets: openTargets(context),
		/** Nothing is sent before; Unix milliseconds, and measured, for the clock may be set. Set by an answer that the quota is spent. */
		notBefore: {at: 0, measured: 0},
		/** Changes that the gate let through and that are not over. */
		inFlight: 0,
		/** Targets being sent: only the sender settles them. */
		sending: new Set<number>(),
		/** When all waiting targets were last known to be as planned; Unix milliseconds. */
		checkedAt: services.clock.now(),
		/** Number of the newest log entry before a target was read by this process, by position. */
		readSeqs: new Map<number, number>(),
		/** Changes that are not of this job, by target, and those without effect; read up to that number of the log. */
		others: {upTo: facts.logSeq, intents: new Map<string, readonly LogEntry[]>(), without: new Set<string | null>()},
		/** Waiting targets that somebody changed since: they are read before they are sent. */
		stale: new Set<number>()
	}
}
