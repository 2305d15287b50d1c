import type {FileListItemRow, FileListRow, PolicyRow} from '#contract/directory.ts'

import {coveredBy, coveredOf} from './coverage.ts'
import type {ItemState, StoredItem} from './items.ts'
import {byName, type KnownList, type KnownPolicy, type Snapshot} from './snapshot.ts'
import type {ComputerCell} from './types.ts'

export function policyRows(snapshot: Snapshot, cells: readonly ComputerCell[]): readonly PolicyRow[] {
	const counts = new Map<string, number>()
	for (const {policyGuid, computers} of cells) counts.set(policyGuid, (counts.get(policyGuid) ?? 0) + computers)
	return [...snapshot.policies.values()]
		.toSorted((a, b) => a.product.localeCompare(b.product, 'en') || byName(a, b))
		.map(policy => policyRow(policy, counts.get(policy.guid) ?? 0))
}

function policyRow(policy: KnownPolicy, computers: number): PolicyRow {
	const {guid, name, product, description, isDefault, serial, groups, fileLists, ipLists, exclusionSets} = policy
	const {problem} = policy
	return {
		...{guid, name, product, description, isDefault, serial, groups, fileLists, ipLists, exclusionSets},
		...{computers, problem},
		readAt: iso(policy.readAt),
		vanishedAt: policy.vanishedAt === null ? null : iso(policy.vanishedAt)
	}
}

export function listRows(
	snapshot: Snapshot,
	lists: Iterable<KnownList>,
	cells: readonly ComputerCell[],
	items: (guid: string) => ListItems
): readonly FileListRow[] {
	const covered = coveredBy(snapshot, cells)
	return [...lists]
		.toSorted((a, b) => a.type.localeCompare(b.type, 'en') || byName(a, b))
		.map(list => listRow(list, coveredOf(snapshot, list, covered), items(list.guid)))
}

/** The stored items of a list, and the progress of the running reading. */
interface ListItems {
	state: ItemState | undefined
	reading: {read: number; of: number | null} | undefined
}

function listRow(list: KnownList, covered: number | null, {state, reading}: ListItems): FileListRow {
	const {guid, name, type, policies, vanishedAt} = list
	const total = state?.total ?? null
	return {
		...{guid, name, type, policies, covered},
		items: total ?? (state?.wholeAt == null ? null : state.stored),
		itemsRead: {
			read: reading?.read ?? state?.stored ?? 0,
			of: reading?.of ?? total,
			at: state?.readAt == null ? null : iso(state.readAt),
			running: reading !== undefined
		},
		problem: state?.problem ?? list.problem,
		vanishedAt: vanishedAt === null ? null : iso(vanishedAt)
	}
}

export function itemRow(item: StoredItem, seen: ReadonlyMap<string, FileListItemRow['seen']>): FileListItemRow {
	return {
		sha256: item.sha256,
		description: item.description,
		source: item.source,
		firstSeen: item.first_seen === null ? null : iso(item.first_seen),
		seen: seen.get(item.sha256) ?? {computers: 0, names: [], dispositions: []}
	}
}

export function iso(time: number) {
	return new Date(time).toISOString()
}
