import type {Coverage, NamedReference, PolicyWay} from '#contract/directory.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {productOfSystem, productsWithoutLists} from './products.ts'
import type {KnownGroup, KnownList, Snapshot} from './snapshot.ts'
import type {ComputerCell} from './types.ts'

const partKinds = ['enforced', 'other_list', 'no_list', 'product_without_list', 'no_policy', 'unknown'] as const
type PartKind = (typeof partKinds)[number]

/** `policy` is the GUID of the deciding policy, empty when none is known. */
interface Verdict {
	kind: PartKind
	policy: string
}

/** A filter over more policies makes an address too long to pass on. */
const mostPolicies = 60

/** Computers that enforce the list. The parts sum up to all computers. */
export function coverageOf(snapshot: Snapshot, list: KnownList, cells: readonly ComputerCell[], complete: boolean): Coverage {
	const judged = cells.map(cell => ({cell, verdict: verdictOf(snapshot, list, cell)}))
	const parts = partKinds.flatMap(kind => {
		const members = judged.filter(({verdict}) => verdict.kind === kind).map(({cell}) => cell)
		const computers = total(members)
		if (computers === 0 && kind !== 'enforced') return []
		return [{kind, title: titles[kind](listNoun(list.type)), computers, filter: filterOf(members)}]
	})
	const enforcing = judged.filter(({verdict}) => verdict.kind === 'enforced')
	return {
		list: {guid: list.guid, name: list.name},
		computers: total(cells),
		enforced: total(enforcing.map(({cell}) => cell)),
		parts,
		ways: waysOf(
			snapshot,
			enforcing.map(({cell, verdict}) => ({...cell, policyGuid: verdict.policy}))
		),
		uncertain: uncertainty(snapshot, cells, complete)
	}
}

export function coveredBy(snapshot: Snapshot, cells: readonly ComputerCell[]): (list: KnownList) => number {
	const known = new Map<string, number>()
	const others = mergedByPolicy(cells).filter(({policyGuid, computers}) => {
		const used = snapshot.policies.get(policyGuid)?.fileLists
		for (const guid of new Set(used?.map(list => list.guid))) known.set(guid, (known.get(guid) ?? 0) + computers)
		return used == null
	})
	return list => (known.get(list.guid) ?? 0) + total(others.filter(cell => verdictOf(snapshot, list, cell).kind === 'enforced'))
}

/** Where a policy is known, it alone decides, and there are far fewer policies than groups and systems. */
function mergedByPolicy(cells: readonly ComputerCell[]) {
	const byPolicy = Map.groupBy(cells, ({policyGuid}) => policyGuid)
	const without = byPolicy.get('') ?? []
	byPolicy.delete('')
	const merged = [...byPolicy.values()].flatMap(same => {
		const [first] = same
		return first === undefined ? [] : [{...first, computers: total(same)}]
	})
	return [...merged, ...without]
}

function verdictOf(snapshot: Snapshot, list: KnownList, cell: ComputerCell) {
	if (cell.policyGuid !== '') return verdictOfPolicy(snapshot, list, cell.policyGuid)
	const product = productOfSystem(cell.os)
	const group = snapshot.groups.get(cell.groupGuid)
	if (group?.policies === undefined || group.policies === null || product === '') return unknown('')
	const assigned = group.policies.find(policy => policy.product === product)
	return assigned === undefined ? {kind: 'no_policy', policy: ''} : verdictOfPolicy(snapshot, list, assigned.guid)
}

function verdictOfPolicy(snapshot: Snapshot, list: KnownList, guid: string): Verdict {
	const policy = snapshot.policies.get(guid)
	if (policy === undefined) return unknown(guid)
	// The list itself names the policies that use it: one call instead of one for each policy.
	if (policy.fileLists === null) return isUsing(list, guid) ? {kind: 'enforced', policy: guid} : unknown(guid)
	if (policy.fileLists.some(used => used.guid === list.guid)) return {kind: 'enforced', policy: guid}
	if (policy.fileLists.some(used => used.type === list.type)) return {kind: 'other_list', policy: guid}
	return {kind: productsWithoutLists.has(policy.product) ? 'product_without_list' : 'no_list', policy: guid}
}

function unknown(policy: string): Verdict {
	return {kind: 'unknown', policy}
}

function isUsing(list: KnownList, policy: string) {
	return list.policies?.some(({guid}) => guid === policy) ?? false
}

const titles: Readonly<Record<PartKind, (lists: string) => string>> = {
	enforced: () => 'Enforce this list',
	other_list: lists => `Have another ${lists}`,
	no_list: lists => `Their policy uses no ${lists}`,
	product_without_list: () => 'Phones and devices, which have no file lists',
	no_policy: () => 'Their group has no policy for their operating system',
	unknown: () => 'Not known yet'
}

function listNoun(type: string) {
	if (type === 'simple_custom_detections') return 'list of simple custom detections'
	if (type === 'application_blocking') return 'application blocking list'
	return type === 'allowed_applications' ? 'list of allowed applications' : 'list of this kind'
}

/**
 * All computers of a policy fall into one part, so a filter by policies is exact. Those without a policy need their own
 * term.
 */
function filterOf(members: readonly ComputerCell[]) {
	const policies = [...new Set(members.map(({policyGuid}) => policyGuid))].toSorted()
	if (policies.length === 0 || policies.length > mostPolicies || policies.includes('')) return null
	return `policy:${policies.join(',')}`
}

/** Policies that the computers of each group have, except unknown policies. */
export function waysOf(snapshot: Snapshot, cells: readonly ComputerCell[]): readonly PolicyWay[] {
	return [...Map.groupBy(cells, ({policyGuid, groupGuid}) => `${policyGuid} ${groupGuid}`).values()]
		.flatMap(same => {
			const [first] = same
			const policy = snapshot.policies.get(first?.policyGuid ?? '')
			if (first === undefined || policy === undefined) return []
			const group = groupReference(snapshot.groups, first)
			return [{policy: {guid: policy.guid, name: policy.name, product: policy.product}, group, computers: total(same)}]
		})
		.toSorted((a, b) => b.computers - a.computers)
}

function groupReference(groups: ReadonlyMap<string, KnownGroup>, cell: ComputerCell): NamedReference {
	const name = groups.get(cell.groupGuid)?.name ?? cell.groupName
	return {guid: cell.groupGuid, name: name === '' ? 'No group' : name}
}

function uncertainty(snapshot: Snapshot, cells: readonly ComputerCell[], complete: boolean) {
	const used = new Set(cells.map(({policyGuid}) => policyGuid))
	const there = [...snapshot.policies.values()].filter(({vanishedAt}) => vanishedAt === null)
	const unread = there.filter(({fileLists}) => fileLists === null).length
	const strange = [...used].filter(guid => guid !== '' && !snapshot.policies.has(guid)).length
	const reasons = [
		...(complete ? [] : ['The listing of computers was not read to its end, so that all numbers are at least.']),
		...(unread === 0 ? [] : [`The details of ${unread} of ${there.length} policies have not been read yet.`]),
		...(strange === 0 ? [] : [`Computers name ${counted(strange, nouns.policy)} that the service did not list.`])
	]
	return reasons.length === 0 ? null : reasons.join(' ')
}

function total(cells: readonly ComputerCell[]) {
	return cells.reduce((sum, {computers}) => sum + computers, 0)
}

export function coveredOf(snapshot: Snapshot, list: KnownList, covered: (list: KnownList) => number): number | null {
	if (list.policies !== null) return covered(list)
	const known = [...snapshot.policies.values()].every(({fileLists, vanishedAt}) => fileLists !== null || vanishedAt !== null)
	return known ? covered(list) : null
}
