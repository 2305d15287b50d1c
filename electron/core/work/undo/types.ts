import type {UndoItem, UndoPreview, UndoResult} from '#model/undo-list.ts'

import type {ApiClient} from '#core/service/api/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Directory} from '#core/replicas/directory/directory.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Jobs} from '../jobs/jobs.ts'
import type {ApplyRequest} from '../jobs/types.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import type {Clock} from '#base/ports.ts'
import type {Engine} from '#core/engine/engine.ts'

export interface UndoActors {
	clock: Clock
	log: Pick<IncidentLog, 'matching' | 'entry' | 'append'>
	runner: Pick<Runner, 'run'>
	jobs: Pick<Jobs, 'apply' | 'get'>
}

export type UndoRuns = Pick<Engine, 'begin' | 'settled' | 'get' | 'whereIs' | 'resume' | 'cancel'>

export interface UndoServices extends Omit<UndoActors, 'runner'> {
	operator: string
	connections: Pick<Connections, 'find' | 'client'>
	jobs: Pick<Jobs, 'plan' | 'apply' | 'get' | 'open'>
	/** Knows `undoProgram`. */
	runs: UndoRuns
	inventory: (connection: string) => Inventory
}

/** What the local copies of one connection know at this moment. */
export interface CopiesBefore {
	readonly inventory: Pick<Inventory, 'row'> | undefined
	readonly directory: Pick<Directory, 'policiesOf' | 'holding'> | undefined
	readonly now: number
}

/** Who knows what is there before a change: local copies that are open, and the service. */
export interface BeforeSources {
	clock: Clock
	client: (connection: string) => ApiClient
	inventory: (connection: string) => CopiesBefore['inventory']
	directory: (connection: string) => CopiesBefore['directory']
}

export interface UndoApply extends Omit<ApplyRequest, 'plan' | 'undoes'> {
	readonly connection: string
	readonly id: string
}

/** Moves, policies and hashes of the last 24 hours. Nothing is stored here: the incident log is the list. */
export interface UndoList {
	/** Newest first, also what cannot be undone; with `hours`, also older changes. */
	list(connection: string, hours?: number): Promise<readonly UndoItem[]>
	/** Reads what is there now. Throws `unknown_job` for an item that is not on the list. */
	preview(connection: string, id: string, signal?: AbortSignal): Promise<UndoPreview>
	/** Throws `plan_drifted` when nothing is as the change left it, `confirmation_needed`, or what sending throws. */
	apply(request: UndoApply): Promise<UndoResult>
}
