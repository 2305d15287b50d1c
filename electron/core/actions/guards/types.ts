import type {GuardedAction, GuardTarget} from '#model/guard.ts'

import type {Inventory} from '#core/replicas/computers/inventory.ts'

export interface JudgeRequest {
	connection: string
	action: GuardedAction
	/** `targetsOf` makes those of computers from GUIDs. */
	targets: readonly GuardTarget[]
	/** The operator reviewed the servers among the targets: they are not split off again. */
	reviewed?: boolean | undefined
	confirmedAt?: number | undefined
	/** Isolations that would come before it. */
	ahead?: number | undefined
}

export type CopyForGuards = Pick<Inventory, 'row' | 'ancestryOf'>
