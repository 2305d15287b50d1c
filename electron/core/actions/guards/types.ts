import type {Agreement, GuardAnswer, GuardedAction, GuardJudgement, GuardRules, GuardTarget} from '#shared/model/guard.ts'
import type {Surface} from '#shared/model/incident.ts'

import type {Inventory} from '#core/replicas/computers/types.ts'

/** A wanted change. */
export interface JudgeRequest {
	/** Id of the connection. */
	readonly connection: string
	readonly action: GuardedAction
	/** For computers, `targetsOf` makes them from GUIDs. */
	readonly targets: readonly GuardTarget[]
	/** The servers among the targets were looked at: they are not split off again. */
	readonly reviewed?: boolean | undefined
	/** Of a part of a job: when the whole was confirmed (Unix milliseconds). */
	readonly confirmedAt?: number | undefined
}

/** Guard rules of all connections, and what they say. Every process reads them fresh. */
export interface Guards {
	/** Throws `storage` when they cannot be read. */
	rules(connection: string): GuardRules
	/** Throws `confirmation_needed` unless `confirm` is the connection's name. Logged with before and after. */
	setRules(change: {
		readonly connection: string
		readonly rules: GuardRules
		readonly confirm: string | undefined
		readonly surface: Surface
	}): GuardRules
	/** Computers as the guards see them, from the local copy; one that it does not know has its GUID as name and no role. */
	targetsOf(connection: string, guids: readonly string[], inventory: CopyForGuards | undefined): readonly GuardTarget[]
	/** Sends nothing and writes nothing. */
	judge(request: JudgeRequest): Promise<GuardJudgement>
	/** The judgement with the price of the change: one call for each target, and `reads` (default: what waiting for agents takes). */
	answer(request: JudgeRequest & {readonly reads?: number | undefined}): Promise<GuardAnswer>
	/** Throws `read_only`, `protected`, `usage` or `confirmation_needed` with what is missing. Returns what it was measured by. What others approved is not asked for again. */
	admit(request: JudgeRequest, agreement: Agreement | 'approved', surface: Surface): Promise<GuardJudgement>
	/**
	 * For one target of a job that was confirmed as a whole: what may never be written (read-only, protected) is refused,
	 * because rules and lock may have changed since.
	 */
	admitPart(request: JudgeRequest): void
}

export type CopyForGuards = Pick<Inventory, 'row' | 'groups'>
