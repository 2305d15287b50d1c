import type {GroupNode} from '#contract/directory.ts'

import {byName, type KnownGroup} from './snapshot.ts'
import type {ComputerCell} from './types.ts'

interface Counts {
	computers: number
	compromised: number
	isolated: number
}

const none: Counts = {computers: 0, compromised: 0, isolated: 0}

/**
 * The tree, parents before children, brothers by name. Groups that only computers name are roots, as are those whose
 * parent nobody knows. Where the service's records go round in a circle, the link of its first member by name is cut.
 */
export function treeOf(groups: ReadonlyMap<string, KnownGroup>, cells: readonly ComputerCell[], readAt: number): readonly GroupNode[] {
	const all = withUnlisted(groups, cells, readAt)
	const parents = parentsOf(all)
	const children = childrenOf(all, parents)
	const ordered = inOrder(children)
	const own = countsByGroup(cells)
	const below = sumsBelow(ordered, parents, own)
	return ordered.map(group => ({
		guid: group.guid,
		name: group.name,
		description: group.description,
		source: group.source,
		parent: parents.get(group.guid) ?? null,
		children: (children.get(group.guid) ?? []).map(({guid}) => guid),
		...(own.get(group.guid) ?? none),
		below: below.get(group.guid) ?? none,
		policies: group.policies,
		readAt: new Date(group.readAt).toISOString(),
		problem: group.problem,
		vanishedAt: group.vanishedAt === null ? null : new Date(group.vanishedAt).toISOString()
	}))
}

/** Every group that lies below, by the parents that the tree shows. */
export function descendantsOf(tree: readonly GroupNode[], guid: string): ReadonlySet<string> {
	const below = new Set<string>()
	// Parents stand before their children.
	for (const node of tree) {
		if (node.parent !== null && (node.parent === guid || below.has(node.parent))) below.add(node.guid)
	}
	return below
}

function withUnlisted(groups: ReadonlyMap<string, KnownGroup>, cells: readonly ComputerCell[], readAt: number) {
	const all = new Map(groups)
	const blank = {description: '', source: null, parent: null, policies: null, problem: null, vanishedAt: null}
	for (const {groupGuid: guid, groupName: name} of cells) {
		if (guid !== '' && !all.has(guid)) all.set(guid, {guid, name: name === '' ? guid : name, readAt, ...blank})
	}
	return all
}

/** The known parent of each group; a circle is opened. */
function parentsOf(groups: ReadonlyMap<string, KnownGroup>) {
	const parents = new Map<string, string>()
	for (const {guid, parent} of groups.values()) if (parent !== null && groups.has(parent)) parents.set(guid, parent)
	const settled = new Set<string>()
	for (const guid of groups.keys()) {
		const climb = new Set<string>()
		let at: string | undefined = guid
		while (at !== undefined && !settled.has(at) && !climb.has(at)) {
			climb.add(at)
			at = parents.get(at)
		}
		if (at !== undefined && climb.has(at)) parents.delete(firstOfCircle(groups, parents, at))
		for (const passed of climb) settled.add(passed)
	}
	return parents
}

function firstOfCircle(groups: ReadonlyMap<string, KnownGroup>, parents: ReadonlyMap<string, string>, member: string) {
	const circle = [member]
	for (let at = parents.get(member); at !== undefined && at !== member; at = parents.get(at)) circle.push(at)
	const [first] = circle.flatMap(guid => groups.get(guid) ?? []).toSorted(byName)
	return first?.guid ?? member
}

/** Children by the GUID of their parent; roots stand under the empty text. */
function childrenOf(groups: ReadonlyMap<string, KnownGroup>, parents: ReadonlyMap<string, string>) {
	return Map.groupBy([...groups.values()].toSorted(byName), ({guid}) => parents.get(guid) ?? '')
}

function inOrder(children: ReadonlyMap<string, readonly KnownGroup[]>) {
	const ordered: KnownGroup[] = []
	// Not by recursion: nobody promises how deep a tenant nests its groups.
	const waiting = (children.get('') ?? []).toReversed()
	for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
		ordered.push(group)
		for (const one of (children.get(group.guid) ?? []).toReversed()) waiting.push(one)
	}
	return ordered
}

function countsByGroup(cells: readonly ComputerCell[]) {
	const counts = new Map<string, Counts>()
	for (const cell of cells) counts.set(cell.groupGuid, sum(counts.get(cell.groupGuid) ?? none, cell))
	return counts
}

function sumsBelow(ordered: readonly KnownGroup[], parents: ReadonlyMap<string, string>, own: ReadonlyMap<string, Counts>) {
	const sums = new Map(ordered.map(({guid}) => [guid, own.get(guid) ?? none]))
	for (const {guid} of ordered.toReversed()) {
		const parent = parents.get(guid)
		if (parent !== undefined) sums.set(parent, sum(sums.get(parent) ?? none, sums.get(guid) ?? none))
	}
	return sums
}

function sum(one: Counts, other: Counts): Counts {
	return {computers: one.computers + other.computers, compromised: one.compromised + other.compromised, isolated: one.isolated + other.isolated}
}
