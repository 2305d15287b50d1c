import type {CommandName} from '#shared/commands/catalogue.ts'
import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import type {CordonError} from '#contract/errors.ts'
import type {ComputerRow} from '#model/computer.ts'
import type {LogEntry} from '#model/incident.ts'
import type {LeftOut, ObservedState} from '#model/job.ts'

import type {ApiClient} from '#core/service/api/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Clock} from '#base/ports.ts'

/** What was read of one target. */
export interface Seen {
	readonly label: string
	readonly observed: ObservedState
	/** When it was asked for, Unix milliseconds: what happened later may be missing in it. */
	readonly at: number
	/** For computers. */
	readonly row: ComputerRow | null
}

/** `null`: the service has no such object. A target that is not in it could not be read. */
export type Observations = ReadonlyMap<string, Seen | null>

export interface ReadServices {
	client: ApiClient
	inventory: Inventory
	clock: Clock
}

export interface ReadHow {
	/** Every target is needed; otherwise a cheaper reading may leave some out. */
	readonly whole: boolean
	readonly signal: AbortSignal
}

/** How a state stands to what the job wants. */
export type Progress = 'reached' | 'under_way' | 'not_yet'

/** What one kind of job knows. Everything but `read` is pure. */
export interface Action {
	/** GUIDs or hashes from what was typed; names are looked up in the local copy. */
	resolve(typed: string): {id: string} | {left: Pick<LeftOut, 'kind' | 'message'>}
	read(ids: readonly string[], how: ReadHow): Promise<Observations>
	/** Calls that one reading of so many targets takes. */
	cost(ids: readonly string[], whole: boolean): number
	/** Why it is no target, seen so; `null` when it is one. */
	leaveOut(seen: Seen): Pick<LeftOut, 'kind' | 'message'> | null
	warnings(seen: Seen, now: number): readonly string[]
	command(target: {id: string; note: string | null}): {name: CommandName; args: RawArgs}
	progress(observed: ObservedState, id: string): Progress
	/** Whether a change of one of its targets wants something else than this job does. */
	opposes(change: Pick<LogEntry, 'command' | 'args'>): boolean
	/** The state in the service's words, for receipts. */
	words(observed: ObservedState): string
	answered(result: CommandResult): ObservedState | null
	/** The state in words, where a refusal or what somebody else did leaves nothing to do. */
	settledBy(error: CordonError, id: string): string | null
	/** How long an accepted change may stay unseen, in milliseconds. */
	readonly patienceMs: number
	/** Whether the wanted state has to be seen before the next wave. */
	readonly agents: boolean
}
