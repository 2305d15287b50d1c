import {implement} from '@orpc/server'

import {contract, type AppInfo} from '#contract/contract.ts'
import type {CopyKind} from '#model/choices.ts'
import type {FrameState} from '#model/frame.ts'

import type {Audits} from '#core/replicas/audit/audits.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {EventStores} from '#core/replicas/events/replica.ts'
import type {Findings} from '#core/insight/search/findings.ts'
import type {Instances} from '../gateway.ts'
import type {Directories} from '#core/replicas/directory/replica.ts'
import type {Presence} from '#core/actions/isolation/presence.ts'
import type {KnownHashes} from '#core/actions/guards/targets.ts'
import type {Inventories} from '#core/replicas/computers/replica.ts'
import type {ListEditor} from '#core/work/list-editor/types.ts'
import type {Jobs} from '#core/work/jobs/types.ts'
import type {LiveStream} from '../live.ts'
import type {ProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import type {Profile} from '../profile.ts'
import {reportFailures} from '../router-errors.ts'
import type {Notices} from '#core/service/settings/notices.ts'
import type {Searches} from '#core/insight/search/searches.ts'
import type {StoppableRunner} from '#core/actions/commands/stoppable.ts'
import type {Automations} from '#core/playbooks/automation.ts'
import type {PlaybookSecrets} from '#core/playbooks/secrets.ts'
import type {Doors} from '#core/doors/doors.ts'
import type {Playbooks} from '#core/playbooks/playbooks.ts'
import type {Streams} from '#core/streams/streams.ts'
import type {Targets} from '#core/targets/targets.ts'
import type {UndoList} from '#core/work/undo/types.ts'
import type {ReplicaRegistry} from '#core/replicas/kit/registry.ts'
import type {Trajectories} from '#core/replicas/trajectories/trajectories.ts'

export interface RouterDependencies {
	readonly ports: Ports
	readonly profile: Pick<
		Profile,
		'guards' | 'approvals' | 'escrow' | 'managed' | 'settings' | 'log' | 'note' | 'history' | 'labels' | 'views'
	>
	readonly connections: Connections
	readonly runner: StoppableRunner
	readonly jobs: Jobs
	readonly undo: UndoList
	readonly playbooks: Playbooks
	readonly doors: Doors
	readonly automations: Automations
	readonly playbookSecrets: PlaybookSecrets
	readonly streams: Streams
	readonly targets: Targets
	readonly inventories: Inventories
	readonly directories: Directories
	readonly trajectories: Trajectories
	readonly audits: Audits
	readonly eventStores: EventStores
	readonly registry: Pick<ReplicaRegistry, 'all'>
	/** Opened on first use. */
	readonly listEditor: () => ListEditor
	readonly knownHashes: KnownHashes
	readonly searches: Searches
	readonly findings: Findings
	readonly instances: Instances
	readonly live: LiveStream
	readonly notices: Notices
	readonly lastLines: () => readonly string[]
	readonly programLog: ProgramLog
	readonly info: () => Promise<AppInfo>
	/** Opens the local copy where needed. */
	readonly frame: (connection: string) => FrameState
	/** Closes and deletes local data of a connection that was deleted or points elsewhere. */
	readonly forget: (connection: string) => Promise<void>
	/** Closes and deletes some kinds of local data; they are recreated on demand. */
	readonly wipe: (connection: string, kinds: ReadonlySet<CopyKind>) => Promise<void>
	readonly startSandbox: (() => Promise<void>) | undefined
	/** Aborted when the application stops. */
	readonly stopping: AbortSignal
	/** Checks the person who asks for a secret. */
	readonly presence: Presence
}

/** The host already decided who may call. */
export interface CallContext {
	/** Id of the session of the browser that asks. */
	readonly session?: string
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
