/** One job in this process: what it stands on, its targets in memory, and who may end what. */
import type {Connection} from '#model/connection.ts'
import type {AgreedPlan} from '#model/job.ts'

import type {RunContext} from '#core/engine/types.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {actionOf} from './actions/action-of.ts'
import type {Action} from './actions/types.ts'
import {agreedIn, factsOf, openTargets, type JobFacts, type Targets} from './rows.ts'
import type {JobServices} from './types.ts'

/** What a run stands on beside the engine itself. */
type RunDependencies = Pick<RunState, 'connection' | 'client' | 'inventory' | 'action'>

export interface RunState {
	readonly services: JobServices
	readonly context: RunContext
	readonly id: string
	readonly facts: JobFacts
	/** When it was confirmed, in Unix milliseconds. */
	readonly confirmedAt: number
	readonly plan: AgreedPlan
	readonly connection: Connection
	readonly client: ApiClient
	readonly inventory: Inventory
	readonly action: Action
	readonly targets: Targets
	/** Nothing is sent before; Unix milliseconds. Set by an answer that the quota is spent. */
	notBefore: number
	/** Changes that the gate let through and that are not over. */
	inFlight: number
	/** Targets being sent: only the sender settles them. */
	readonly sending: Set<number>
	/** When all waiting targets were last known to be as planned; Unix milliseconds. */
	checkedAt: number
	/** Number of the newest log entry before a target was read by this process, by position. */
	readonly readSeqs: Map<number, number>
	/** Waiting targets that somebody changed since: they are read before they are sent. */
	readonly stale: Set<number>
}

export async function partsOf(
	{connections, inventory: open, clock}: JobServices,
	connection: Connection,
	plan: Pick<AgreedPlan, 'id' | 'action'>,
): Promise<RunDependencies> {
	const client = connections.client(connection.id)
	const inventory = await open(connection.id)
	return {connection, client, inventory, action: actionOf({client, inventory, clock}, plan.action, plan.id)}
}

export async function openRun(services: JobServices, context: RunContext): Promise<RunState> {
	const {id, subject} = context.run
	const plan = agreedIn(context.definition)
	const deps = await partsOf(services, services.connections.find(subject ?? ''), {action: plan.action, id})
	context.over.throwIfAborted()
	return {
		...deps,
		...{services, context, id, plan},
		facts: factsOf(context.run),
		confirmedAt: context.run.startedAt,
		targets: openTargets(context),
		notBefore: 0,
		inFlight: 0,
		sending: new Set(),
		checkedAt: services.clock.now(),
		readSeqs: new Map(),
		stale: new Set(),
	}
}
