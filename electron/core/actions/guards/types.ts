import type {Agreement, GuardAnswer, GuardedAction, GuardJudgement, GuardRules, GuardTarget} from '#model/guard.ts'
import type {Surface} from '#model/incident.ts'

import type {Inventory} from '#core/replicas/computers/inventory.ts'

export interface JudgeRequest {
	readonly connection: string
	readonly action: GuardedAction
	/** `targetsOf` makes those of computers from GUIDs. */
	readonly targets: readonly GuardTarget[]
	/** The operator reviewed the servers among the targets: they are not split off again. */
	readonly reviewed?: boolean | undefined
	readonly confirmedAt?: number | undefined
	/** Isolations that would come before it. */
	readonly ahead?: number | undefined
}

/** Guard rules of all connections and their judgements. Every process reads them fresh. */
export interface Guards {
	/** Throws `storage` when they cannot be read. */
	rules(connection: string): GuardRules
	/** Throws `confirmation_needed` unless `confirm` is the connection's name. Logged with before and after. */
	setRules(change: {
		readonly connection: string
		/** As they were when the change was made. Throws `conflict` when they differ now. */
		readonly before?: GuardRules | undefined
		readonly rules: GuardRules
		readonly confirm?: string | undefined
		readonly surface: Surface
	}): GuardRules
	/** Computers from local data; an unknown one has its GUID as name and no role. */
	targetsOf(connection: string, guids: readonly string[], inventory: CopyForGuards | undefined): readonly GuardTarget[]
	judge(request: JudgeRequest): Promise<GuardJudgement>
	/** The judgement with the price of the change: one call for each target, and `reads` (default: the wait for agents). */
	answer(request: JudgeRequest & {readonly reads?: number | undefined}): Promise<GuardAnswer>
	/**
	 * Throws `read_only`, `protected`, `usage` or `confirmation_needed` with what is missing. Returns the judgement. What
	 * others approved needs no second confirmation.
	 */
	admit(request: JudgeRequest, agreement: Agreement | 'approved', surface: Surface): Promise<GuardJudgement>
	/**
	 * For one target of a job confirmed as a whole: read-only and protection still refuse, because rules and lock may have
	 * changed since.
	 */
	admitPart(request: JudgeRequest): void
}

export type CopyForGuards = Pick<Inventory, 'row' | 'ancestryOf'>
