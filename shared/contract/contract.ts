/**
 * All procedures of the page. Inputs are checked at this border; outputs are only typed, because they come from this program. No
 * output contains an API key, and only `isolation.reveal` an unlock code.
 */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given, incident, onConnection, onObject, window} from './base.ts'
import type {CommandResult} from '../commands/result.ts'
import type {ComputerRow} from '../model/computer.ts'
import {connectionChangeSchema, openingSchema, connectionInputSchema, type Connection, type TestResult} from '../model/connection.ts'
import type {ErrorReport} from './errors.ts'
import type {FrameState} from '../model/frame.ts'
import type {GroupRow} from '../model/group.ts'
import {surfaces} from '../model/incident.ts'
import type {IsolationReceipt} from '../model/isolation.ts'
import type {Lease} from '../model/lease.ts'
import type {ManagedView} from '../model/managed.ts'
import {settingsChangeSchema, type Settings} from '../model/settings.ts'
import {computerListContract, computerQuery, viewsContract} from './computer-list.ts'
import {doorsContract} from './doors.ts'
import {directoryContract} from './directory.ts'
import {editorContract} from './editor.ts'
import {detectionsContract} from './detections.ts'
import {eventViewsContract} from './event-views.ts'
import {eventsContract} from './events.ts'
import {codesContract, guardsContract, leasesContract, runExtras} from './guards.ts'
import {instancesContract} from './instances.ts'
import {jobsContract, undoContract} from './jobs.ts'
import {automationContract} from './automation.ts'
import {approvalsContract} from './approvals.ts'
import {playbooksContract} from './playbooks.ts'
import {streamsContract, targetsContract} from './streams.ts'
import type {LiveEvent} from './live.ts'
import {localContract} from './local.ts'
import {logContract} from './log.ts'
import {searchContract} from './search.ts'
import {sightContract} from './insight.ts'

/** Every failure crosses the wire as one error, with a report of the closed table as its data. */

export type ComputerWindow = Readonly<{
	rows: readonly ComputerRow[]
	offset: number
	/** Rows that match the filter, and all rows of the local copy. */
	matching: number
	all: number
	revision: number
}>

export type ComputerDetail = Readonly<{
	row: ComputerRow
	/** The service's record as last read, unlock codes masked. */
	record: Readonly<Record<string, unknown>>
	/** Names from the root group down. */
	groupPath: readonly string[]
	receipt: IsolationReceipt | null
	/** Start of the present isolation state, as far as known. */
	stateSince: string | null
	lease: Lease | null
	/** Its policy by the record, with the serial number of the local copy of policies, if loaded. */
	policy: {guid: string; serial: number | null} | null
	/** Why the guard rules protect it from changes, in a sentence; `null` when they do not. */
	protectedBecause: string | null
}>

export type Preflight = Readonly<{
	row: ComputerRow
	/** The service's present answer; `null` when it could not be queried, with the reason in `problem`. */
	state: {available: boolean; status: string; isolatedBy: string | null; comment: string | null} | null
	allowed: 'yes' | 'no' | 'unknown'
	/** Why it is not allowed, unknown or doubtful, in a sentence. */
	problem: string | null
	/** Of the state's load. */
	failure?: ErrorReport
	/** What it may still reach while isolated, by its policy; empty before a release. */
	reach: string
	/** Warnings: offline, a server, a duplicate name. */
	warnings: readonly string[]
	/** Cost of the action in calls, polling included. */
	calls: number
}>

export interface RevealedCode {
	readonly code: string | null
	/** The source: the service now, or this computer's vault since `at`. */
	readonly source: 'service' | 'vault'
	readonly at: string
}

export type FoundObject = Readonly<{kind: 'computer' | 'group'; guid: string; label: string; detail: string}>

export interface Suggestion {
	readonly value: string
	readonly label: string
	/** The bare name, where the label says more. */
	readonly name?: string
}

export type AppInfo = Readonly<{
	version: string
	host: 'desktop' | 'headless'
	operator: string
	profile: string
	/** Changes with every start of the host. */
	instance: string
	secretStore: {
		kind: string
		available: boolean
		reason: string | null
		/** Required before an unlock code is shown: the profile's passphrase, the system's prompt, or nothing. */
		asks: 'passphrase' | 'prompt' | 'nothing'
	}
}>

const completionSource = z.enum(['computer', 'hostname', 'group', 'policy', 'file_list', 'event_type', 'tag'])

export const contract = {
	app: {
		info: base.output(type<AppInfo>()),
		/** Ends with the page; the first event is `hello`, then a `frame` for every connection. */
		live: base.output(type<AsyncIteratorObject<LiveEvent, void>>()),
		/** The page shows this connection, which is kept fresh while it says so every minute. */
		shows: base.input(onConnection).output(type<null>())
	},
	settings: {
		get: base.output(type<Settings>()),
		set: base.input(settingsChangeSchema).output(type<Settings>()),
		/** Managed settings, and whether the file is usable. */
		managed: base.output(type<ManagedView>())
	},
	connections: {
		list: base.output(type<readonly Connection[]>()),
		add: base.input(connectionInputSchema).output(type<Connection>()),
		update: given({id: connection, change: connectionChangeSchema, agreement: openingSchema.optional()}).output(type<Connection>()),
		remove: given({id: connection}).output(type<void>()),
		startSandbox: base.output(type<void>()),
		/** Tests a stored connection (`id`) or a typed one (`draft`); results arrive stage by stage. */
		test: given({id: connection.optional(), draft: connectionChangeSchema.optional()}).output(type<AsyncIteratorObject<TestResult, void>>()),
		frame: base.input(onConnection).output(type<FrameState>()),
		/** Locks or unlocks changes at once for every process on this profile. */
		setLocked: given({connection, locked: z.boolean()}).output(type<FrameState>())
	},
	computers: {
		query: base.input(computerQuery.extend({...window})).output(type<ComputerWindow>()),
		/** GUIDs of all matching rows, frozen, in the order of the query. */
		guids: base.input(computerQuery).output(type<readonly string[]>()),
		/** Position of a row in the order of the query; `-1` when it does not match. */
		position: base.input(computerQuery.extend({guid: z.string()})).output(type<number>()),
		detail: base.input(onObject).output(type<ComputerDetail | null>()),
		/** Loads the whole listing again; resolves at its end with any result. */
		refresh: base.input(onConnection).output(type<FrameState>()),
		refreshMissing: base.input(onConnection).output(type<FrameState>()),
		refreshOne: base.input(onObject).output(type<ComputerDetail | null>()),
		...computerListContract
	},
	views: viewsContract,
	eventViews: eventViewsContract,
	groups: {list: base.input(onConnection).output(type<readonly GroupRow[]>())},
	isolation: {
		preflight: base.input(onObject.extend({action: z.enum(['isolate', 'release'])})).output(type<Preflight>()),
		/**
		 * The only audited way to see an unlock code: needs a reason and what the secret store requires, and leaves an entry
		 * without the code. `sealed`: opens that one of this computer's vault, without the network.
		 */
		reveal: base
			.input(onObject.extend({reason: z.string().trim().min(1), passphrase: z.string().max(1000).optional(), sealed: z.string().optional()}))
			.output(type<RevealedCode>())
	},
	commands: {
		run: given({
			connection,
			name: z.string(),
			args: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
			options: z.object({all: z.boolean().optional(), wait: z.number().int().min(1).max(86_400).optional()}).default({}),
			surface: z.enum(surfaces),
			incident,
			...runExtras,
			/** Chosen by the page, to follow the progress on the live stream. */
			run: z.string().min(1)
		}).output(type<CommandResult>()),
		suggest: given({connection, source: completionSource, prefix: z.string(), limit: z.int().min(1).max(50)}).output(
			type<readonly Suggestion[]>()
		),
		find: given({connection, text: z.string(), limit: z.int().min(1).max(50)}).output(type<readonly FoundObject[]>()),
		history: base.output(type<readonly string[]>()),
		remember: given({line: z.string().min(1).max(4000)}).output(type<void>())
	},
	log: logContract,
	guards: guardsContract,
	leases: leasesContract,
	codes: codesContract,
	jobs: jobsContract,
	undo: undoContract,
	playbooks: playbooksContract,
	automation: automationContract,
	streams: streamsContract,
	targets: targetsContract,
	doors: doorsContract,
	approvals: approvalsContract,
	overview: sightContract.overview,
	overviewDuring: sightContract.overviewDuring,
	instances: instancesContract,
	events: eventsContract,
	detections: detectionsContract,
	/** The local copy of groups' details, policies and file lists. */
	directory: directoryContract,
	/** Staged changes of file lists. */
	editor: editorContract,
	trajectory: sightContract.trajectory,
	search: searchContract,
	vulnerabilities: sightContract.vulnerabilities,
	/** Data on this computer, and diagnostics of the program. */
	local: localContract
}

export type Contract = typeof contract
