/** Procedures of the overview and of one computer's trajectory. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, onConnection} from './base.ts'
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

export interface AttentionItem {
	readonly kind: AttentionKind
	readonly title: string
	readonly count: number
	/** The first few, as words. */
	readonly names: readonly string[]
	readonly since: string | null
	/** Path of the screen with the rows, including the filter. */
	readonly open: string
	/** Of the events of a detection group. */
	readonly keys?: readonly string[]
	readonly urgency: Urgency
}

export interface Tile {
	readonly kind: TileKind
	readonly title: string
	readonly count: number
	/** The counted data is incomplete. */
	readonly atLeast: boolean
	readonly open: string
}

/** A change by anyone. */
export interface LastAction {
	readonly at: string
	readonly text: string
	readonly who: string
	/** `elsewhere`: in the service's own console or with another key, from the audit log. */
	readonly where: 'here' | 'elsewhere'
	readonly ok: boolean
	readonly open: string
}

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

export interface TrajectoryLane {
	/** SHA-256 of the file, or a name for lanes without one (`system`, `network`). */
	readonly id: string
	readonly label: string
	/** Other names of the same file. */
	readonly names: readonly string[]
	readonly disposition: Disposition
	readonly events: number
	/** Parent of something bad: stays when clean lanes are hidden. */
	readonly keeps: boolean
}

export interface TrajectoryPoint {
	readonly index: number
	readonly id: string | null
	readonly at: string
	/** Nanoseconds within the second, for ordering. */
	readonly nanoseconds: number
	readonly lane: string
	/** Lane of the parent, if known. */
	readonly parent: string | null
	/** Name of the parent, even without a lane. */
	readonly parentName: string | null
	/** `address:port` of a connection's remote end. */
	readonly remote: string | null
	/** Ids of MITRE ATT&CK: tactics, then techniques. */
	readonly mitre: readonly string[]
	readonly type: string
	readonly shape: 'create' | 'execute' | 'move' | 'open' | 'network' | 'detect' | 'quarantine' | 'fail' | 'system'
	readonly disposition: Disposition
	readonly severity: EventSeverity
	readonly text: string
	readonly detectionId: string | null
	readonly sha256: string | null
}

export interface Trajectory {
	readonly guid: string
	readonly hostname: string
	readonly query: string
	readonly readAt: string
	/** The service returns a limited number of the newest; `true` when there may be older ones. */
	readonly cut: boolean
	readonly oldest: string | null
	readonly lanes: readonly TrajectoryLane[]
	readonly points: readonly TrajectoryPoint[]
	readonly unknown: readonly {type: string; count: number}[]
}

export interface VulnerableProgram {
	readonly application: string
	readonly version: string
	readonly fileName: string | null
	readonly sha256: string | null
	/** When the service last saw it there. */
	readonly seenAt: string | null
	/** Most severe first. */
	readonly cves: readonly {id: string; link: string | null; score: number | null}[]
}

export interface Vulnerabilities {
	readonly guid: string
	readonly readAt: string
	/** `false`: further pages failed. */
	readonly complete: boolean
	/** Most severe first. */
	readonly programs: readonly VulnerableProgram[]
}

export const sightContract = {
	overview: base.input(onConnection).output(type<Overview>()),
	/** Inclusive start, exclusive end, ISO 8601. From local copies only, like the overview. */
	overviewDuring: base.input(onConnection.extend({from: z.iso.datetime(), to: z.iso.datetime()})).output(type<OverviewDuring>()),
	trajectory: {
		/** The stored trajectory, if any; no cost. */
		stored: base.input(onConnection.extend({guid: z.string().min(1), query: z.string().default('')})).output(type<Trajectory | null>()),
		/** Queries the service (one call). */
		read: base.input(onConnection.extend({guid: z.string().min(1), query: z.string().default('')})).output(type<Trajectory>()),
		/** The service's record of one point, as text with all digits. */
		record: base
			.input(onConnection.extend({guid: z.string().min(1), query: z.string().default(''), index: z.int().min(0)}))
			.output(type<{json: string} | null>())
	},
	vulnerabilities: {
		/** The last answer in this session; no cost. */
		stored: base.input(onConnection.extend({guid: z.string().min(1)})).output(type<Vulnerabilities | null>()),
		/** Queries the service: one call, and another for each further 500. */
		read: base.input(onConnection.extend({guid: z.string().min(1)})).output(type<Vulnerabilities>())
	}
}
