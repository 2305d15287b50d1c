import type {GroupChangePreview, GroupNode, NamedReference} from '#contract/directory.ts'
import {changeOf} from '#shared/reference-change.ts'

import {productOfSystem} from './products.ts'
import type {KnownPolicy, Snapshot} from './snapshot.ts'
import type {ComputerCell} from './types.ts'

type Product = GroupChangePreview['products'][number]

/**
 * What setting policies of a group would change, by product. `wanted` names policies by product. The change reaches
 * computers of the group and of groups below that inherit. Where a group's details are unknown, its computers count by their
 * current policy.
 */
export function previewOf(
	snapshot: Snapshot,
	tree: readonly GroupNode[],
	cells: readonly ComputerCell[],
	guid: string,
	wanted: ReadonlyMap<string, string>
): GroupChangePreview {
	const group = snapshot.groups.get(guid)
	const now = new Map((group?.policies ?? []).map(policy => [policy.product, policy] as const))
	const products = [...new Set([...now.keys(), ...wanted.keys()])].toSorted().map((product): Product => {
		const before = now.get(product) ?? null
		const after = referenceOf(snapshot, wanted.get(product)) ?? before
		const reached = reachedBy(tree, guid, product, before?.guid ?? null)
		return {
			product,
			before: named(before),
			after: named(after),
			...listChange(snapshot.policies.get(before?.guid ?? ''), snapshot.policies.get(after?.guid ?? '')),
			computers: countOf(cells, reached, product, snapshot)
		}
	})
	const changed = products.filter(({before, after}) => before?.guid !== after?.guid)
	return {
		group: {guid, name: group?.name ?? guid},
		computers: changed.reduce((sum, {computers}) => sum + computers, 0),
		products,
		calls: changed.length === 0 ? 0 : 1
	}
}

/** Groups that the change reaches. `false`: only those of their computers that have the current policy. */
function reachedBy(tree: readonly GroupNode[], guid: string, product: string, before: string | null) {
	const reached = new Map([[guid, {all: true, policy: before}]])
	// Parents come before their children.
	for (const node of tree) {
		if (node.guid === guid || node.parent === null || !reached.has(node.parent)) continue
		const own = node.policies?.find(policy => policy.product === product)
		if (node.policies === null) reached.set(node.guid, {all: false, policy: before})
		else if (own?.inherited === true) reached.set(node.guid, {all: true, policy: before})
	}
	return reached
}

function countOf(cells: readonly ComputerCell[], reached: ReturnType<typeof reachedBy>, product: string, snapshot: Snapshot) {
	return cells
		.filter(cell => {
			const group = reached.get(cell.groupGuid)
			if (group === undefined || productOf(snapshot, cell) !== product) return false
			return group.all || cell.policyGuid === group.policy
		})
		.reduce((sum, {computers}) => sum + computers, 0)
}

/** The product of the computer's policy if known, otherwise by operating system. */
function productOf(snapshot: Snapshot, cell: ComputerCell) {
	return snapshot.policies.get(cell.policyGuid)?.product ?? productOfSystem(cell.os)
}

function listChange(before: KnownPolicy | undefined, after: KnownPolicy | undefined): Pick<Product, 'listsGained' | 'listsLost'> {
	const {gained: listsGained, lost: listsLost} = changeOf(before?.fileLists ?? [], after?.fileLists ?? [])
	return {listsGained, listsLost}
}

function referenceOf(snapshot: Snapshot, guid: string | undefined): NamedReference | null {
	return guid === undefined ? null : {guid, name: snapshot.policies.get(guid)?.name ?? guid}
}

function named(reference: NamedReference | null): NamedReference | null {
	return reference === null ? null : {guid: reference.guid, name: reference.name}
}
