/** Calculations of the policy dialog: pure, for tests without a page. */
import type {GroupChangePreview, GroupNode, PolicyRow} from '#contract/directory.ts'
import {counted, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {assignable, type ChosenPolicies as Chosen, type PresentPolicy} from '#commands/directory/assignable.ts'
import {productTitle} from '#commands/directory/directory-words.ts'

export function commandArgs(group: string, chosen: Chosen): Record<string, string> {
	return {
		group_guid: group,
		...Object.fromEntries(
			assignable.flatMap(product => (chosen[product] === undefined ? [] : [[`${product}_policy_guid`, chosen[product]] as const]))
		)
	}
}

/** Differences from the preview since, in a sentence; `null` without any. */
export function driftOf(preview: GroupChangePreview, group: GroupNode) {
	const first = preview.products.find(({product, before, after}) => {
		if (before?.guid === after?.guid) return false
		return group.policies?.find(use => use.product === product)?.guid !== before?.guid
	})
	if (first === undefined) return null
	const now = group.policies?.find(use => use.product === first.product)?.name ?? 'none'
	return `Someone else has changed the ${first.product} policy of ${group.name} to ${now} meanwhile.`
}

/** Calls for data missing in a preview: read only. */
export function readingsOf(group: GroupNode, chosen: Chosen, policies: ReadonlyMap<string, PolicyRow>) {
	const now = (group.policies ?? []).filter(({product}) => chosen[product] !== undefined).map(({guid}) => guid)
	const wanted = new Set([...now, ...Object.values(chosen)])
	const unread = [...wanted].filter(guid => (policies.get(guid)?.fileLists ?? null) === null).length
	return unread + (group.policies === null ? 1 : 0)
}

export function changedProducts(preview: GroupChangePreview): GroupChangePreview['products'] {
	return preview.products.filter(({before, after}) => before?.guid !== after?.guid)
}

/** Whether the group now has what was sent. */
export function holds(group: GroupNode, chosen: Chosen) {
	return Object.entries(chosen).every(([product, guid]) => group.policies?.find(use => use.product === product)?.guid === guid)
}

/** The effect, for the button. */
export function effectWords(group: GroupNode, preview: GroupChangePreview | undefined) {
	const changed = preview === undefined ? [] : changedProducts(preview)
	if (preview === undefined || changed.length === 0) return `Set the policies of ${group.name}`
	const products = changed.map(({product}) => productTitle(product)).join(', ')
	const computers = `${counted(preview.computers, nouns.computer)}`
	return `Set the ${products} ${formOf(changed.length, nouns.policy)} of ${group.name}, ${computers},`
}

/** Why a choice cannot be sent, in a sentence; `null` when it can. */
export function whatIsMissing(isChosen: boolean, preview: GroupChangePreview | undefined): string | null {
	if (!isChosen) return 'Choose a policy first.'
	if (preview === undefined) return 'What would change is not known yet.'
	return changedProducts(preview).length === 0 ? 'Nothing would change.' : null
}

export function presentOf(group: GroupNode, product: string): PresentPolicy {
	const now = group.policies?.find(use => use.product === product)
	const how = now === undefined ? '' : ` (${now.inherited ? 'inherited' : 'own'})`
	return {label: group.policies === null ? 'not loaded yet' : `${now?.name ?? 'none'}${how}`, guid: now?.guid}
}
