import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandArgs, CommandName, CommandNameOf, Family} from '#shared/commands/catalogue.ts'
import type {CommandOptions, CommandResult} from '#shared/commands/result.ts'
import type {RunProgress} from '#shared/contract/live.ts'
import type {Agreement} from '#shared/model/guard.ts'
import type {Surface} from '#shared/model/incident.ts'
import type {LeaseTerm, ObservedState} from '#shared/model/job.ts'

import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Connections, WriteLocks} from '#core/service/connections/types.ts'
import type {DirectoryLearn} from '#core/replicas/directory/types.ts'
import type {KnownHashes} from '../guards/targets.ts'
import type {Guards} from '../guards/types.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Approvals} from '#core/approvals/approvals.ts'
import type {Inventory} from '#core/replicas/computers/types.ts'
import type {UnlockCodes} from '../isolation/codes.ts'
import type {Leases} from '../isolation/leases.ts'
import type {Clock} from '#core/base/ports.ts'

/** One command as a surface asks for it. */
export interface CommandRequest {
	/** A name of the catalogue or an alias. */
	readonly name: string
	readonly args: RawArgs
	readonly options?: CommandOptions | undefined
	/** Id or name of the connection; without it the only one there is. */
	readonly connection?: string | undefined
	readonly incident?: string | null | undefined
	readonly surface: Surface
	/**
	 * The job that it is a part of: its calls leave the reserve alone and do not wait for the budget by themselves. The job
	 * engine took the confirmation for the whole job; read-only, protection and the lock hold for each target anyway.
	 * Only the job engine and the undo list set it.
	 */
	readonly job?: string | undefined
	/** When that was confirmed, in Unix milliseconds. */
	readonly confirmedAt?: number | undefined
	/** How the operator agreed, where the tier of the change asks for it. A comment of the arguments is a reason too. */
	readonly agreement?: Agreement | undefined
	/** The approval of this very change; one that is not there yet is requested under this ID where one is needed. */
	readonly approval?: string | undefined
	/**
	 * What has to be typed becomes an approval, or every change does: nobody sits at the surface. `refused`: no more of them.
	 * Only `runOrPropose` and runs that propose set it.
	 */
	readonly propose?: 'needed' | 'always' | 'refused' | undefined
	/** Who asked for it, where that is not the operator. */
	readonly requester?: string | undefined
	/** For an isolation: who makes the code that is not among the arguments, and how long it is meant to last. */
	readonly isolation?: IsolationWish | undefined
	/** How long it waits for the request budget at most; left out, as long as it takes. */
	readonly maxBudgetWaitMs?: number | undefined
	/** What the intent says beside its arguments: the value before, or the change that it undoes. */
	readonly facts?: Readonly<Record<string, unknown>> | undefined
	/** Aborting it rejects with `cancelled`, or with `outcome_unknown` when a change was already sent. */
	readonly signal?: AbortSignal | undefined
	readonly onProgress?: ((progress: RunProgress) => void) | undefined
	/** What has to be said before the change is sent, in a sentence: that it cannot be undone. */
	readonly onNotice?: ((text: string) => void) | undefined
	/** Lists only: records as their pages arrive, unlock codes masked. */
	readonly onRecords?: ((records: readonly unknown[]) => void) | undefined
	/** Resolves when the reader of the records has room for more; no page is loaded before. */
	readonly room?: (() => Promise<void>) | undefined
}

/** A change whose arguments were checked, by id of its connection. */
export interface BeforeRequest {
	readonly name: CommandName
	readonly args: Readonly<Record<string, unknown>>
	readonly connection: string
	readonly signal?: AbortSignal | undefined
}

/** What is there before a change. */
export interface Before {
	/** `null`: nobody knows. */
	readonly observed: ObservedState | null
	/** Why the change cannot be undone, in a sentence; `null` when it can. */
	readonly impossible: string | null
}

/** `undefined` for a command that the undo list does not know. */
export type LookBefore = (request: BeforeRequest) => Promise<Before | undefined>

export interface IsolationWish {
	/** `generated`: a random one, sealed here before it is sent. */
	readonly code: 'generated' | 'service'
	/** `null`: none is kept. */
	readonly lease: LeaseTerm | null
}

/** Where codes and leases of isolations are kept. */
export interface Custody {
	readonly codes: UnlockCodes
	readonly leases: Leases
	/** Who holds a new lease. */
	readonly operator: string
}

/** What the runner stands on. Whoever made these closes them. */
export interface RunnerServices {
	readonly clock: Clock
	readonly connections: Pick<Connections, 'find' | 'client' | 'mode'>
	readonly log: Pick<IncidentLog, 'append'>
	readonly locks: Pick<WriteLocks, 'acquire'>
	readonly guards: Pick<Guards, 'admit' | 'admitPart' | 'targetsOf' | 'rules'>
	readonly custody: Custody
	/** Left out, what needs an approval is refused. */
	readonly approvals?: Pick<Approvals, 'propose' | 'find' | 'check' | 'claim'> | undefined
	/**
	 * The local copy of a connection, where this process has it at hand: it names targets and learns from answers.
	 * Left out where it would cost more than it gives: then targets are named by their GUID.
	 */
	readonly inventory?: ((connection: string) => Inventory | undefined | Promise<Inventory | undefined>) | undefined
	/** The copy of groups, policies and lists: it learns from answers. Left out where this process has none at hand. */
	readonly directory?: ((connection: string) => DirectoryLearn) | undefined
	/** What speaks against putting a hash on a list, as far as this computer knows it: it costs no call. */
	readonly knownHashes?: KnownHashes | undefined
	/** What is there before a change, for the undo list; left out, nothing is noted of it. */
	readonly lookBefore?: LookBefore | undefined
	/** For what goes wrong beside the command itself, such as a local copy that cannot be written. */
	readonly onTrouble?: ((message: string, error: unknown) => void) | undefined
}

export interface Runner {
	/** Rejects with `CordonError` only. */
	run(request: CommandRequest): Promise<CommandResult>
	/** How many commands run on a connection right now, in this process. */
	running(connection: string): number
	/** Called with the connection's id whenever that number changed; returns the way to stop. */
	onRunning(listener: (connection: string) => void): () => void
}

/** What an answer taught; goes to the local copies. */
export type Learn = Pick<Inventory, 'observe' | 'observeIsolation' | 'observeGroups' | 'vanished'> & DirectoryLearn

/** All that a handler may use. It cannot reach the log, the locks or another connection. */
export interface HandlerContext {
	readonly client: ApiClient
	readonly clock: Clock
	readonly options: CommandOptions
	/** Signal, write token, purpose and progress for every call of this run. */
	readonly call: CallOptions & {readonly signal: AbortSignal}
	readonly onProgress: (progress: RunProgress) => void
	readonly onRecords: (records: readonly unknown[]) => void
	readonly learn: Learn
	/** How the operator knows an object: its host name or name in the local copy, else the GUID. */
	readonly label: (guid: string) => string
	/** Since when its isolation state is what it is, as far as the local copy tells; ISO 8601. */
	readonly stateSince: (guid: string) => string | undefined
}

/** Its outcome, before masking and logging. */
export type HandlerOutcome = Omit<CommandResult, 'command' | 'args' | 'entry' | 'durationMs'>

export type Handler<N extends CommandName> = (args: CommandArgs<N>, context: HandlerContext) => Promise<HandlerOutcome>

/** One handler for each command of a family. */
export type FamilyHandlers<F extends Family> = {readonly [N in CommandNameOf<F>]: Handler<N>}
