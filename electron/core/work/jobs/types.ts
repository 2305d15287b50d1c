/** The job engine and what it asks of others. */
import type {ComputerRow} from '#model/computer.ts'
import type {Connection} from '#model/connection.ts'
import type {GuardJudgement} from '#model/guard.ts'
import type {Surface} from '#model/incident.ts'
import type {JobAction, JobPlan} from '#model/job.ts'

import type {Approvals} from '#core/approvals/approvals.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Clock} from '#base/ports.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import type {RunStore} from '#core/engine/port.ts'
import type {Engine} from '#core/engine/engine.ts'
import type {Action} from './actions/types.ts'

/** A target as the guards need to see it. `row` for computers only. */
export interface JudgeTarget {
	readonly id: string
	readonly label: string
	readonly row: ComputerRow | null
}

interface JudgeRequest {
	connection: string
	action: JobAction
	targets: readonly JudgeTarget[]
	/** A person looked at the servers among them: they are not split off. */
	reviewed: boolean
	ahead?: number
	client: ApiClient
	signal: AbortSignal | undefined
}

/** What the rules of the connection say about a change. Changes nothing; may read local data, and groups that they lack. */
export interface GuardJudge {
	judge(request: JudgeRequest): GuardJudgement | Promise<GuardJudgement>
}

/** Calls of a connection's window as they are shared out. */
export interface QuotaPlanner {
	/** So many calls are meant for this job from now on; others see that many fewer. `0` gives them back. */
	reserve(connection: string, job: string, calls: number): void
	/**
	 * Calls that this job may make now: what remains without the reserve for releases and without what other jobs have
	 * reserved. `null` while nothing is known. `resetAt` in Unix milliseconds.
	 */
	room(connection: string, job: string): {calls: number; resetAt: number} | null
}

/** What the engine stands on. Whoever made these closes them. */
export interface JobServices {
	/** Earlier versions kept their jobs in it. */
	profile: string
	clock: Clock
	random(bytes: number): Uint8Array
	operator: string
	connections: Pick<Connections, 'find' | 'client' | 'mode'>
	log: Pick<IncidentLog, 'append' | 'appendOnce' | 'matching' | 'about' | 'entry' | 'newest'>
	runner: Pick<Runner, 'run'>
	inventory: (connection: string) => Inventory | Promise<Inventory>
	judge: GuardJudge
	planner: QuotaPlanner
	/** Connections whose tenant ends with its process, such as the embedded sandbox: nothing goes on there. */
	forgets?: ((connection: Connection) => boolean) | undefined
	onTrouble: (message: string, error: unknown) => void
	/** Left out, a plan that needs an approval is refused. */
	approvals?: Pick<Approvals, 'profile' | 'propose' | 'check' | 'claim'> | undefined
	/** The jobs register with it. */
	runs: Engine
	/** The store of that engine. */
	store: Pick<RunStore, 'apply' | 'run'>
	/** Whether a process still runs; for tests. */
	isAlive?: ((process: ProcessIdentity) => boolean) | undefined
}

export interface PlanRequest {
	connection: string
	action: JobAction
	/** GUIDs or exact names of computers or groups, or SHA-256 hashes; with a note for a hash. */
	targets: readonly (string | {id: string; note: string})[]
	/** 0 to 1. Default: 0.2. */
	stopShare?: number | undefined
	/** The servers among them were looked at and are meant. */
	reviewed?: boolean | undefined
	/** Of a retry: what its job undoes. */
	undoes?: JobPlan['undoes']
	/** Of a caller that has just read the targets. */
	known?: Pick<Action, 'read' | 'cost'> | undefined
	signal?: AbortSignal | undefined
}

export interface ApplyRequest {
	/** A plan that was made or imported here. */
	plan: string
	/** The host name or the count, where the tier asks for it. */
	confirm?: string | undefined
	surface: Surface
	incident?: string | null | undefined
	/** The part of an earlier change that this takes back. Of each part there is one job. */
	undoes?: JobPlan['undoes']
	signal?: AbortSignal | undefined
}
