import type {DetectionCase} from '#contract/detections.ts'
import type {InstanceList} from '#contract/instances.ts'
import type {AuditState} from '#contract/log.ts'
import type {AuditRecord} from '#model/audit.ts'
import type {Lease} from '#model/lease.ts'
import type {InventoryCounts, InventoryState, LinkState} from '#model/frame.ts'
import type {PlaybookRun} from '#model/playbook.ts'

import type {AuditQuery} from '#core/replicas/audit/store.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'

/** Sources of the overview; all are on this computer. */
export interface OverviewDependencies {
	connection: {id: string; name: string}
	/** Unix milliseconds. */
	now: number
	inventory: OverviewInventory
	log: Pick<IncidentLog, 'query' | 'matching' | 'stepsOf' | 'about'>
	/** Changes elsewhere, newest first, as far as the audit log was read. */
	elsewhere: (query: AuditQuery, limit: number) => readonly AuditRecord[]
	/** How far the audit log was read. */
	audit: AuditState
	link: LinkState
	instances: InstanceList
	events: EventFacts
	/** Detection groups, the worst first. */
	groups: readonly DetectionCase[]
	lists: ListFacts
	leases: readonly Lease[]
	/** Runs that have not ended, newest first. */
	runs: readonly PlaybookRun[]
}

export type OverviewInventory = Pick<
	Inventory,
	'sums' | 'spread' | 'suggest' | 'few' | 'seenBetween' | 'silentSince' | 'counts' | 'pending' | 'released'
> & {state(): Pick<InventoryState, 'phase' | 'rows' | 'total' | 'completeAt' | 'readAt'>; counts(): InventoryCounts}

/** What stored events say about detections. */
export interface EventFacts {
	readAt: string | null
	/** API calls needed to read new events. */
	refreshCalls: number | null
	/** Detections whose quarantine failed. */
	failed: DetectionFacts
}

export interface DetectionFacts {
	count: number
	/** The real number may be higher: counting stopped here. */
	atLeast: boolean
	/** The first few, as words. */
	names: readonly string[]
	/** ISO 8601 of the oldest named item. */
	since: string | null
}

/** File lists that no computer enforces. */
export interface ListFacts {
	uncovered: readonly {guid: string; name: string}[]
}

const none: DetectionFacts = {count: 0, atLeast: false, names: [], since: null}

/** Before events are read. */
export const noEvents: EventFacts = {readAt: null, refreshCalls: null, failed: none}
export const noLists: ListFacts = {uncovered: []}
