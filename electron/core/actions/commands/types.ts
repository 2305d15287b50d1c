import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandArgs, CommandName, CommandNameOf, Family} from '#shared/commands/catalogue.ts'
import type {CommandOptions, CommandResult} from '#shared/commands/result.ts'
import type {RunProgress} from '#contract/live.ts'
import type {Agreement} from '#model/guard.ts'
import type {LogEntry, Surface} from '#model/incident.ts'
import type {LeaseTerm, ObservedState} from '#model/job.ts'
import type {Turn} from '#base/turns.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Connections, WriteLocks} from '#core/service/connections/types.ts'
import type {DirectoryLearn} from '#core/replicas/directory/types.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Approvals} from '#core/approvals/approvals.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Clock} from '#base/ports.ts'
import type {KnownHashes} from '../guards/targets.ts'
import type {Guards} from '../guards/guards.ts'
import type {UnlockCodes} from '../isolation/codes.ts'
import type {Leases} from '../isolation/leases.ts'

export interface CommandRequest {
	/** A name of the catalogue or an alias. */
	name: string
	args: RawArgs
	options?: CommandOptions | undefined
	/** Id or name; may be left out when there is only one connection. */
	connection?: string | undefined
	incident?: string | null | undefined
	surface: Surface
	/**
	 * The job of this request: its calls leave the reserve alone and do not wait for the quota. The engine took the
	 * confirmation for the whole job; read-only, protection and the lock still hold for each target.
	 * Only the job engine and the undo list set it.
	 */
	job?: string | undefined
	/** Confirmation of the job, in Unix milliseconds. */
	confirmedAt?: number | undefined
	/** For `foresee`: isolations that would come before it. */
	ahead?: number | undefined
	/** The operator's agreement, where the tier of the change asks for it. A comment among the arguments is a reason too. */
	agreement?: Agreement | undefined
	/** The approval of this very change; where one is needed and missing, it is requested under this ID. */
	approval?: string | undefined
	/**
	 * For unattended surfaces: changes that must be typed, or all changes, become approvals. `refused`: no more may wait.
	 * Only `runOrPropose` and runs that propose set it.
	 */
	propose?: 'needed' | 'always' | 'refused' | undefined
	/** Set where somebody other than the operator asked. */
	requester?: string | undefined
	/** For an isolation: who makes a code missing from the arguments, and the length of the lease. */
	isolation?: IsolationWish | undefined
	/** The longest wait for the request quota; without it, as long as it takes. */
	maxQuotaWaitMs?: number | undefined
	/** Logged with the intent: the value before, or the change that it undoes. */
	facts?: Readonly<Record<string, unknown>> | undefined
	/** Aborting it rejects with `cancelled`, or with `outcome_unknown` when a change was already sent. */
	signal?: AbortSignal | undefined
	onProgress?: ((progress: RunProgress) => void) | undefined
	/** A warning before the change is sent, in a sentence: that it cannot be undone. */
	onNotice?: ((text: string) => void) | undefined
	/** Lists only: records as their pages arrive, unlock codes masked. */
	onRecords?: ((records: readonly unknown[]) => void) | undefined
	/** Resolves when the reader has room for more records; no page is loaded before. */
	room?: (() => Promise<void>) | undefined
	/** Each change is sent inside it, after its intent is logged. */
	turn?: Turn | undefined
}

export interface BeforeRequest {
	name: CommandName
	args: Readonly<Record<string, unknown>>
	connection: string
	signal?: AbortSignal | undefined
}

export interface Before {
	/** `null`: unknown. */
	readonly observed: ObservedState | null
	/** Why the change cannot be undone, in a sentence; `null` when it can. */
	readonly impossible: string | null
}

/** `undefined` for a command that cannot be undone. */
export type LookBefore = (request: BeforeRequest) => Promise<Before | undefined>

export interface IsolationWish {
	/** `generated`: a random one, sealed here before it is sent. */
	readonly code: 'generated' | 'service'
	/** `null`: none is kept. */
	readonly lease: LeaseTerm | null
}

export interface Escrow {
	readonly codes: UnlockCodes
	readonly leases: Leases
	/** Owner of new leases. */
	readonly operator: string
}

/** Their maker closes them. */
export interface RunnerServices {
	clock: Clock
	connections: Pick<Connections, 'find' | 'client' | 'mode'>
	log: Pick<IncidentLog, 'append' | 'matching' | 'about'>
	locks: Pick<WriteLocks, 'acquire'>
	guards: Pick<Guards, 'admit' | 'admitPart' | 'targetsOf' | 'rules'>
	escrow: Escrow
	/** Without it, a change that needs an approval is refused. */
	approvals?: Pick<Approvals, 'propose' | 'find' | 'check' | 'claim'> | undefined
	/**
	 * Local data of a connection, which names targets and learns from answers. Left out where opening it costs too much:
	 * then targets are named by GUID.
	 */
	inventory?: ((connection: string) => Inventory | undefined | Promise<Inventory | undefined>) | undefined
	/** Groups, policies and lists, which learn from answers. Left out where this process has none open. */
	directory?: ((connection: string) => DirectoryLearn) | undefined
	/** What speaks against adding a hash to a list, from local data without a call. */
	knownHashes?: KnownHashes | undefined
	/** Reads the value before a change, for the undo list; without it, none is noted. */
	lookBefore?: LookBefore | undefined
	/** For trouble beside the command itself, such as local data that cannot be written. */
	onTrouble?: ((message: string, error: unknown) => void) | undefined
}

export interface Runner {
	run(request: CommandRequest): Promise<CommandResult>
	/** Whether it would wait for an approval. Throws what would refuse it; proposes, logs and changes nothing. */
	foresee(request: CommandRequest): Promise<boolean>
	running(connection: string): number
	/** Called with the connection's id whenever its number changed; returns the unsubscriber. */
	onRunning(listener: (connection: string) => void): () => void
}

/** What an answer taught the local data. */
export type Learn = Pick<Inventory, 'observe' | 'observeIsolation' | 'observeGroups' | 'vanished'> & DirectoryLearn

/** All that a handler may use. It cannot reach the log, the locks or another connection. */
export interface HandlerContext {
	client: ApiClient
	clock: Clock
	options: CommandOptions
	surface: Surface
	/** Signal, write token, purpose and progress for every call of this run. */
	call: CallOptions & {signal: AbortSignal}
	onProgress: (progress: RunProgress) => void
	onRecords: (records: readonly unknown[]) => void
	learn: Learn
	/** Host name or name in the local data, else the GUID. */
	label: (guid: string) => string
	/** When the isolation state began, as far as local data tells; ISO 8601. */
	stateSince: (guid: string) => string | undefined
	/** Whether a request from here to isolate the computer has this mark. */
	isolatedHere: (guid: string, mark: string) => Promise<boolean>
	/** The release from here that the service may not show yet. */
	releasedHere: (guid: string) => Promise<LogEntry | undefined>
}

/** The outcome before masking and logging. */
export type HandlerOutcome = Omit<CommandResult, 'command' | 'args' | 'entry' | 'durationMs'>

export type Handler<N extends CommandName> = (args: CommandArgs<N>, context: HandlerContext) => Promise<HandlerOutcome>

export type FamilyHandlers<F extends Family> = {readonly [N in CommandNameOf<F>]: Handler<N>}
