/** Facts of groups and policies for the screen: pure, for tests without a page. */
import type {GroupNode, GroupPolicyUse, NamedReference, PolicyRow} from '#contract/directory.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

interface ProductPolicy extends GroupPolicyUse {
	/** The nearest ancestor that sets it; `null` for its own or an unknown one. */
	from: NamedReference | null
}

/** Policies of a group with their origin; `path` leads from the root to the group. */
export function policiesOf(path: readonly GroupNode[]): readonly ProductPolicy[] | null {
	const group = path.at(-1)
	if (group?.policies == null) return null
	return group.policies.map(use => ({...use, from: use.inherited ? origin(path.slice(0, -1), use) : null}))
}

function origin(above: readonly GroupNode[], use: GroupPolicyUse): NamedReference | null {
	for (const {guid, name, policies} of above.toReversed()) {
		const same = policies?.find(({product}) => product === use.product)
		// An unknown parent may set it, and so may one with another policy.
		if (same === undefined || same.guid !== use.guid) return null
		if (!same.inherited) return {guid, name}
	}
	return null
}

interface AppliedList extends NamedReference {
	type: string
	/** Policies of the group with the list. */
	through: readonly {guid: string; name: string; product: string}[]
}

/** The file lists that apply in a group, through its policies. */
export function listsOf(uses: readonly GroupPolicyUse[], policies: ReadonlyMap<string, PolicyRow>) {
	const found = new Map<string, AppliedList>()
	/** Policies of the group whose lists are not loaded. */
	const unknown: GroupPolicyUse[] = []
	for (const use of uses) {
		const lists = policies.get(use.guid)?.fileLists ?? null
		if (lists === null) unknown.push(use)
		for (const {guid, name, type} of lists ?? []) {
			const through = {guid: use.guid, name: use.name, product: use.product}
			const before = found.get(guid)
			found.set(guid, {guid, name, type, through: [...(before?.through ?? []), through]})
		}
	}
	const lists = [...found.values()].toSorted((a, b) => a.type.localeCompare(b.type, 'en') || a.name.localeCompare(b.name, 'en'))
	return {lists, unknown}
}

/** Share in percent, at least 2 for anything above zero, so that it stays visible. */
export function shareOf(part: number, whole: number) {
	if (part <= 0 || whole <= 0) return 0
	return Math.max(2, Math.min(100, Math.round((100 * part) / whole)))
}

/** A computers filter for these groups; `null` when too long for an address. */
export function filterOf(groups: readonly {guid: string}[]) {
	return groups.length === 0 || groups.length > 60 ? null : `group:${groups.map(({guid}) => guid).join(',')}`
}

/** A group in words, for announcements. */
export function describeGroup(node: GroupNode, isCounted = true) {
	const {computers, compromised, isolated} = node.below
	const count = `${counted(computers, nouns.computer)}${node.computers === computers ? '' : `, ${node.computers} of its own`}`
	const parts = [
		node.name,
		isCounted ? count : 'number of computers not known',
		compromised === 0 ? null : `${compromised} compromised`,
		isolated === 0 ? null : `${isolated} isolated`,
		node.policies === null ? 'details not loaded' : null,
		node.problem && 'its details could not be loaded',
		node.vanishedAt === null ? null : 'gone'
	]
	return parts.filter(part => part !== null).join(', ')
}
