import {implement} from '@orpc/server'

import {contract, type AppInfo} from '#contract/contract.ts'
import type {CopyKind} from '#model/choices.ts'
import type {FrameState} from '#model/frame.ts'

import type {ProgramLog} from '#base/log.ts'
import type {KnownHashes} from '#core/actions/guards/targets.ts'
import type {ReplicaRegistry} from '#core/replicas/kit/registry.ts'
import type {ListEditor} from '#core/work/list-editor/list-editors.ts'
import type {LiveStream} from '../live.ts'
import type {Profile} from '../profile.ts'
import {reportFailures} from '../router-errors.ts'
import type {Services} from '../services.ts'

export interface RouterDependencies extends Pick<
	Services,
	| 'ports'
	| 'connections'
	| 'runner'
	| 'jobs'
	| 'undo'
	| 'playbooks'
	| 'doors'
	| 'automations'
	| 'playbookSecrets'
	| 'streams'
	| 'targets'
	| 'inventories'
	| 'directories'
	| 'trajectories'
	| 'audits'
	| 'eventStores'
	| 'searches'
	| 'findings'
	| 'instances'
	| 'notices'
	| 'lastLines'
	| 'programLog'
	| 'presence'
> {
	profile: Pick<Profile, 'guards' | 'approvals' | 'escrow' | 'managed' | 'settings' | 'log' | 'note' | 'history' | 'labels' | 'views'>
	registry: Pick<ReplicaRegistry, 'all'>
	/** Opened on first use. */
	listEditor: () => ListEditor
	knownHashes: KnownHashes
	live: LiveStream
	info: () => Promise<AppInfo>
	/** A page shows this connection. */
	shows: (connection: string) => null
	/** Opens the local copy where needed. */
	frame: (connection: string) => FrameState
	/** Closes and deletes local data of a connection that was deleted or points elsewhere. */
	forget: (connection: string) => Promise<void>
	/** Closes and deletes some kinds of local data; they are recreated on demand. */
	wipe: (connection: string, kinds: ReadonlySet<CopyKind>) => Promise<void>
	startSandbox: (() => Promise<void>) | undefined
	/** Aborted when the application stops. */
	stopping: AbortSignal
}

/** As part of a file's name. */
export function today({ports}: RouterDependencies) {
	return new Date(ports.clock.now()).toISOString().slice(0, 10)
}

/** The host already decided who may call. */
export interface CallContext {
	/** Id of the session of the browser that asks. */
	session?: string
}

type Implementer = ReturnType<typeof implementContract>

/** What carries out each procedure of a contract. */
type Handlers<Of> = {
	readonly [
		Name in keyof Of as Name extends `${'$' | '~'}${string}` | 'router' | 'use' | 'lazy' | 'middleware' ? never : Name
	]: Of[Name] extends {handler(handler: infer Handler): unknown} ? Handler : Handlers<Of[Name]>
}

export type Procedures = Handlers<Implementer>

export function implementContract(programLog: ProgramLog) {
	return implement(contract).$context<CallContext>().use(reportFailures(programLog))
}
