/** Closed sets of values that lists, filters and stored data offer. The page takes only types from the contract, so they stand here. */

export const computerSorts = [
	'hostname',
	'group',
	'policy',
	'os',
	'connector',
	'last_seen',
	'internal_ip',
	'external_ip',
	'isolation',
	'compromised',
	'installed'
] as const
export type ComputerSort = (typeof computerSorts)[number]

export const computerFacets = ['seen', 'group', 'os', 'policy', 'connector', 'isolation', 'compromised', 'tag', 'role', 'guess'] as const
export type ComputerFacet = (typeof computerFacets)[number]

/** Ages of the last sighting in order; `longer` and `within` are the filter's names of their ends. */
export const seenAges = [
	{id: '1h', title: 'within an hour', longer: null, within: '1h', ms: 3_600_000},
	{id: '1d', title: '1 to 24 hours ago', longer: '1h', within: '1d', ms: 86_400_000},
	{id: '7d', title: '1 to 7 days ago', longer: '1d', within: '7d', ms: 7 * 86_400_000},
	{id: '30d', title: '7 to 30 days ago', longer: '7d', within: '30d', ms: 30 * 86_400_000},
	{id: '90d', title: '30 to 90 days ago', longer: '30d', within: '90d', ms: 90 * 86_400_000},
	{id: '365d', title: '90 days to a year ago', longer: '90d', within: '365d', ms: 365 * 86_400_000},
	{id: 'older', title: 'more than a year ago', longer: '365d', within: null, ms: null},
	{id: 'never', title: 'never', longer: null, within: null, ms: null}
] as const
export type SeenAge = (typeof seenAges)[number]['id']

/**
 * `detections`: one row per detection, with its newest event. `hash`, `computer`, `name` (of the detected object): one row per
 * value among the newest matching events. Events without the value stay single.
 */
export const eventGroupings = ['none', 'detections', 'hash', 'computer', 'name'] as const
export type EventGrouping = (typeof eventGroupings)[number]

export type ValueGrouping = Exclude<EventGrouping, 'none' | 'detections'>

/** Rows of the newest events with the same value; other groupings are computed when events are stored. */
export function isByValue(grouping: EventGrouping): grouping is ValueGrouping {
	return grouping !== 'none' && grouping !== 'detections'
}

/** Maximum minutes between the events of a `hash`, `computer` or `name` row and its newest. */
export const groupingSpans = [10, 60, 1440] as const

/** Offered time spans; `all` is whatever is stored. */
export const eventSpans = ['24h', '7d', '30d', 'all'] as const
export type EventSpan = (typeof eventSpans)[number]

export const dispositions = ['malicious', 'blocked', 'unknown', 'clean', 'none'] as const
export type Disposition = (typeof dispositions)[number]

export const copyKinds = ['computers', 'events', 'directory', 'trajectories', 'audit'] as const
export type CopyKind = (typeof copyKinds)[number]

export const copyTitles: Readonly<Record<CopyKind, string>> = {
	computers: 'Computers and groups',
	events: 'Events',
	directory: 'Policies, file lists and group details',
	trajectories: 'Trajectories',
	audit: 'Audit log of the service'
}

/** Stages of a probe of the route, in order. */
export const probeStages = ['server', 'exposed', 'tcp', 'tls', 'access', 'instance', 'answer'] as const
export type ProbeStage = (typeof probeStages)[number]

/** What people decided about a group of detections. */
export const detectionStatuses = ['new', 'investigating', 'closed'] as const
export type DetectionStatus = (typeof detectionStatuses)[number]
