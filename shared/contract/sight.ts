/** Procedures of the overview and of one computer's trajectory. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {EventSeverity} from './events.ts'
import type {ErrorReport} from './errors.ts'
import type {AuditState} from './log.ts'
import type {TileKind} from '../text/terms.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
const connection = z.string().min(1)
const onConnection = z.object({connection})

export const attentionKinds = [
	'pending_too_long',
	'isolated_and_silent',
	'lease_over',
	'lease_ending',
	'detection_open',
	'quarantine_failed',
	'compromised',
	'audit_policy',
	'outcome_unknown',
	'key_rejected',
	'forwarding_failed',
	'instance_unhealthy',
	'list_uncovered',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export interface AttentionItem {
	readonly kind: AttentionKind
	readonly title: string
	readonly count: number
	/** The first few, as words. */
	readonly names: readonly string[]
	readonly since: string | null
	/** Path of the screen that shows the rows, filter included. */
	readonly open: string
	readonly urgency: 'now' | 'soon' | 'know'
}

export interface Tile {
	readonly kind: TileKind
	readonly title: string
	readonly count: number
	/** Part of what it counts over is missing. */
	readonly atLeast: boolean
	readonly open: string
}

/** A change, whoever made it. */
export interface LastAction {
	readonly at: string
	readonly text: string
	readonly who: string
	/** `elsewhere`: in the service's own console or with another key, as the audit log tells. */
	readonly where: 'here' | 'elsewhere'
	readonly ok: boolean
	readonly open: string
}

/** What of the overview belongs to a time. */
export interface OverviewDuring {
	readonly isolation: {readonly requested: number; readonly accepted: number; readonly isolated: number}
	readonly lastActions: readonly LastAction[]
}

export interface Overview extends OverviewDuring {
	readonly checkedAt: string
	/** When the computers and the events behind it were read; `null`: never. */
	readonly computersAt: string | null
	readonly eventsAt: string | null
	readonly refreshCalls: number | null
	readonly attention: readonly AttentionItem[]
	readonly tiles: readonly Tile[]
	readonly groups: readonly {
		readonly guid: string
		readonly name: string
		readonly computers: number
		readonly compromised: number
		readonly open: string
	}[]
	readonly connectors: readonly {
		readonly version: string
		readonly os: string
		readonly computers: number
		readonly open: string
	}[]
	/** How far the audit log was read, which tells the actions from elsewhere. */
	readonly audit: AuditState
}

export const dispositions = ['malicious', 'blocked', 'unknown', 'clean', 'none'] as const
export type Disposition = (typeof dispositions)[number]

export interface TrajectoryLane {
	/** SHA-256 of the file, or a name for lanes that have none (`system`, `network`). */
	readonly id: string
	readonly label: string
	/** Other names of the same file. */
	readonly names: readonly string[]
	readonly disposition: Disposition
	readonly events: number
	/** Of a parent of anything bad: stays when clean lanes are hidden. */
	readonly keeps: boolean
}

export interface TrajectoryPoint {
	readonly index: number
	readonly id: string | null
	readonly at: string
	/** Nanoseconds within the second, for the order of what happened in one second. */
	readonly nanoseconds: number
	readonly lane: string
	/** Lane of the parent, if the data names it. */
	readonly parent: string | null
	/** Name of the parent, also where it has no lane. */
	readonly parentName: string | null
	/** `address:port` of the other end of a connection. */
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
	/** The service gives the newest so many; `true` when there may be older ones. */
	readonly cut: boolean
	readonly oldest: string | null
	readonly lanes: readonly TrajectoryLane[]
	readonly points: readonly TrajectoryPoint[]
	readonly unknown: readonly {readonly type: string; readonly count: number}[]
}

export interface VulnerableProgram {
	readonly application: string
	readonly version: string
	readonly fileName: string | null
	readonly sha256: string | null
	/** When the service last saw it there. */
	readonly seenAt: string | null
	/** Worst first. */
	readonly cves: readonly {readonly id: string; readonly link: string | null; readonly score: number | null}[]
}

export interface Vulnerabilities {
	readonly guid: string
	readonly readAt: string
	/** `false`: further pages could not be read. */
	readonly complete: boolean
	/** Worst first. */
	readonly programs: readonly VulnerableProgram[]
}

export const sightContract = {
	overview: base.input(onConnection).output(type<Overview>()),
	/** Inclusive start, exclusive end, ISO 8601. From the local copies alone, as the overview is. */
	overviewDuring: base.input(onConnection.extend({from: z.iso.datetime(), to: z.iso.datetime()})).output(type<OverviewDuring>()),
	trajectory: {
		/** The stored drawing, if there is one; costs nothing. */
		stored: base
			.input(onConnection.extend({guid: z.string().min(1), query: z.string().default('')}))
			.output(type<Trajectory | null>()),
		/** Asks the service (one call). */
		read: base.input(onConnection.extend({guid: z.string().min(1), query: z.string().default('')})).output(type<Trajectory>()),
		/** The service's record of one point, as text with every digit. */
		record: base
			.input(onConnection.extend({guid: z.string().min(1), query: z.string().default(''), index: z.int().min(0)}))
			.output(type<{readonly json: string} | null>()),
	},
	vulnerabilities: {
		/** The last answer in this session; costs nothing. */
		stored: base.input(onConnection.extend({guid: z.string().min(1)})).output(type<Vulnerabilities | null>()),
		/** Asks the service: one call, and one more for each further 500. */
		read: base.input(onConnection.extend({guid: z.string().min(1)})).output(type<Vulnerabilities>()),
	},
}
