import type {GuardedAction, GuardTarget} from '#model/guard.ts'

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

export type CopyForGuards = Pick<Inventory, 'row' | 'ancestryOf'>
