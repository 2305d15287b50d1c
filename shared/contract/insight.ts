/** Procedures of the overview and of one computer's trajectory. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, onConnection, onObject} from './base.ts'
import type {EventSeverity} from '../model/event.ts'
import type {AuditState} from './log.ts'
import type {Urgency} from '../model/notice.ts'
import type {TileKind} from '../text/terms.ts'
import type {Disposition} from '../model/choices.ts'

const attentionKinds = [
	'pending_too_long',
	'isolated_and_silent',
	'lease_over',
	'lease_ending',
	'detection_group',
	'quarantine_failed',
	'compromised',
	'audit_policy',
	'outcome_unknown',
	'key_rejected',
	'forwarding_failed',
	'instance_unhealthy',
	'list_uncovered',
	'playbook_waits'
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export type AttentionItem = Readonly<{
	kind: AttentionKind
	title: string
	count: number
	/** The first few, as words. */
	names: readonly string[]
	since: string | null
	/** Path of the screen with the rows, including the filter. */
	open: string
	/** Of the events of a detection group. */
	keys?: readonly string[]
	urgency: Urgency
}>

export type Tile = Readonly<{
	kind: TileKind
	title: string
	count: number
	/** The counted data is incomplete. */
	atLeast: boolean
	open: string
}>

/** A change by anyone. */
export type LastAction = Readonly<{
	at: string
	text: string
	who: string
	/** `elsewhere`: in the service's own console or with another key, from the audit log. */
	where: 'here' | 'elsewhere'
	ok: boolean
	open: string
}>

/** The time-dependent part of the overview. */
export interface OverviewDuring {
	readonly isolation: {requested: number; accepted: number; isolated: number}
	readonly lastActions: readonly LastAction[]
}

export interface Overview extends OverviewDuring {
	readonly checkedAt: string
	/** When its computers and events were loaded; `null`: never. */
	readonly computersAt: string | null
	readonly eventsAt: string | null
	readonly refreshCalls: number | null
	readonly attention: readonly AttentionItem[]
	readonly tiles: readonly Tile[]
	readonly groups: readonly {guid: string; name: string; computers: number; compromised: number; open: string}[]
	readonly connectors: readonly {version: string; os: string; computers: number; open: string}[]
	/** How far the audit log, the source of changes elsewhere, is loaded. */
	readonly audit: AuditState
}

export type TrajectoryLane = Readonly<{
	/** SHA-256 of the file, or a name for lanes without one (`system`, `network`). */
	id: string
	label: string
	/** Other names of the same file. */
	names: readonly string[]
	disposition: Disposition
	events: number
	/** Parent of something bad: stays when clean lanes are hidden. */
	keeps: boolean
}>

export type TrajectoryPoint = Readonly<{
	index: number
	id: string | null
	at: string
	/** Nanoseconds within the second, for ordering. */
	nanoseconds: number
	lane: string
	/** Lane of the parent, if known. */
	parent: string | null
	/** Name of the parent, even without a lane. */
	parentName: string | null
	/** `address:port` of a connection's remote end. */
	remote: string | null
	/** Ids of MITRE ATT&CK: tactics, then techniques. */
	mitre: readonly string[]
	type: string
	shape: 'create' | 'execute' | 'move' | 'open' | 'network' | 'detect' | 'quarantine' | 'fail' | 'system'
	disposition: Disposition
	severity: EventSeverity
	text: string
	detectionId: string | null
	sha256: string | null
}>

export type Trajectory = Readonly<{
	guid: string
	hostname: string
	query: string
	readAt: string
	/** The service returns a limited number of the newest; `true` when there may be older ones. */
	cut: boolean
	oldest: string | null
	lanes: readonly TrajectoryLane[]
	points: readonly TrajectoryPoint[]
	unknown: readonly {type: string; count: number}[]
}>

export type VulnerableProgram = Readonly<{
	application: string
	version: string
	fileName: string | null
	sha256: string | null
	/** When the service last saw it there. */
	seenAt: string | null
	/** Most severe first. */
	cves: readonly {id: string; link: string | null; score: number | null}[]
}>

export type Vulnerabilities = Readonly<{
	guid: string
	readAt: string
	/** `false`: further pages failed. */
	complete: boolean
	/** Most severe first. */
	programs: readonly VulnerableProgram[]
}>

const onQuery = onObject.extend({query: z.string().default('')})

export const sightContract = {
	overview: base.input(onConnection).output(type<Overview>()),
	/** Inclusive start, exclusive end, ISO 8601. From local copies only, like the overview. */
	overviewDuring: base.input(onConnection.extend({from: z.iso.datetime(), to: z.iso.datetime()})).output(type<OverviewDuring>()),
	trajectory: {
		/** The stored trajectory, if any; no cost. */
		stored: base.input(onQuery).output(type<Trajectory | null>()),
		/** Queries the service (one call). */
		read: base.input(onQuery).output(type<Trajectory>()),
		/** The service's record of one point, as text with all digits. */
		record: base.input(onQuery.extend({index: z.int().min(0)})).output(type<{json: string} | null>())
	},
	vulnerabilities: {
		/** The last answer in this session; no cost. */
		stored: base.input(onObject).output(type<Vulnerabilities | null>()),
		/** Queries the service: one call, and another for each further 500. */
		read: base.input(onObject).output(type<Vulnerabilities>())
	}
}
