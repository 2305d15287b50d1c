/** Facts of policies for the screens: pure, for tests without a page. */
import type {GroupNode, NamedReference, PolicyRow} from '#contract/directory.ts'
import {counted, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {inProductOrder, productTitle} from '#commands/directory/directory-words.ts'
import {answersTo} from '#commands/directory/search-words.ts'

export function answering(policies: readonly PolicyRow[], search: string, product: string | undefined): readonly PolicyRow[] {
	const words = search.toLowerCase().split(/\s+/)
	return policies.filter(policy => {
		if (product !== undefined && policy.product !== product) return false
		return answersTo(policy, words)
	})
}

export function byProduct(policies: readonly PolicyRow[]): readonly PolicyRow[] {
	const products = inProductOrder(policies.map(({product}) => product))
	return policies.toSorted((a, b) => products.indexOf(a.product) - products.indexOf(b.product) || a.name.localeCompare(b.name, 'en'))
}

type Origin = 'own' | 'inherited' | 'unknown'

export interface UsingGroup extends NamedReference {
	origin: Origin
	computers: number | null
}

/** Groups that use a policy, and how; `null` while not loaded. */
export function groupsUsing(policy: PolicyRow, groups: ReadonlyMap<string, GroupNode>): readonly UsingGroup[] | null {
	if (policy.groups === null) return null
	return policy.groups.map(({guid, name}) => {
		const group = groups.get(guid)
		const use = group?.policies?.find(each => each.guid === policy.guid)
		const origin = use === undefined ? 'unknown' : use.inherited ? 'inherited' : 'own'
		return {guid, name, origin, computers: group?.computers ?? null}
	})
}

export function computersOf({guid}: Pick<PolicyRow, 'guid'>) {
	return `policy:${guid}`
}

export function describePolicy(policy: PolicyRow) {
	const count = (things: readonly unknown[] | null, one: string) =>
		things === null ? `${one}s not loaded` : `${things.length} ${one}${formOf(things.length, ['', 's'])}`
	const parts = [
		policy.name,
		`for ${productTitle(policy.product)}`,
		policy.isDefault ? 'default' : null,
		`${counted(policy.computers, nouns.computer)}`,
		count(policy.groups, 'group'),
		count(policy.fileLists, 'list'),
		policy.vanishedAt === null ? null : 'gone'
	]
	return parts.filter(part => part !== null).join(', ')
}
