import {foundOrNull} from '#contract/errors.ts'
import {isGuid, isSameGuid, normalGuid} from '#model/formats.ts'
import type {Group} from '#model/group.ts'
import type {JobAction, ObservedState} from '#model/job.ts'

import {getGroup} from '#core/service/api/endpoints/groups.ts'
import type {Action, ReadHow, ReadServices, Seen} from './types.ts'

type PoliciesAction = Extract<JobAction, {kind: 'policies'}>

const patienceMs = 120_000
const policyCommand = 'svc_set_group_policy'

export function policiesAction(services: ReadServices, {policies}: PoliciesAction): Action {
	const products = Object.keys(policies).toSorted()
	const holds = (observed: ObservedState) => products.every(product => observed[product] === policies[product])
	return {
		resolve: typed => resolveGroup(services.inventory, typed),
		read: (ids, how) => readGroups(services, products, ids, how),
		cost: ids => ids.length,
		leaveOut: ({observed}) =>
			holds(observed) && products.every(product => observed[`${product} inherited`] !== true)
				? {kind: 'nothing_to_do', message: 'It has these policies already.'}
				: null,
		warnings: ({observed}) =>
			products.some(product => observed[`${product} inherited`] === true) ? ['Cannot be undone: it inherits its policy.'] : [],
		command: ({id}) => ({
			name: policyCommand,
			args: {group_guid: id, ...Object.fromEntries(products.map(product => [`${product}_policy_guid`, policies[product] ?? '']))}
		}),
		progress: observed => (holds(observed) ? 'reached' : 'not_yet'),
		opposes: ({command, args}) =>
			command === policyCommand &&
			products.some(product => !isSameGuid(args?.[`${product}_policy_guid`] ?? policies[product], policies[product] ?? '')),
		words: observed => products.map(product => `${product}: ${String(observed[product] ?? 'none')}`).join(', '),
		answered: () => null,
		settledBy: () => null,
		patienceMs,
		agents: false
	}
}

async function readGroups({client, inventory, clock}: ReadServices, products: readonly string[], ids: readonly string[], {signal}: ReadHow) {
	const seen = new Map<string, Seen | null>()
	for (const id of ids) {
		const at = clock.now()
		const answer = await foundOrNull(getGroup(client, {group_guid: id}, {signal, purpose: 'job'}))
		if (answer !== null) inventory.observeGroups([answer.data], at)
		seen.set(id, answer && {label: answer.data.name, observed: policiesOf(answer.data, products), at, row: null})
	}
	return seen
}

/** An inherited policy is another state than the same one set here: after a change above it would differ. */
function policiesOf({policies = []}: Group, products: readonly string[]) {
	return Object.fromEntries(
		products.flatMap(product => {
			const found = policies.find(policy => policy.product === product)
			return [
				[product, found === undefined ? null : normalGuid(found.guid)],
				...(found?.inherited === true ? [[`${product} inherited`, true]] : [])
			]
		})
	)
}

function resolveGroup(inventory: ReadServices['inventory'], typed: string): ReturnType<Action['resolve']> {
	if (isGuid(typed)) return {id: normalGuid(typed)}
	const found = inventory.groups().filter(({name}) => name.toLowerCase() === typed.toLowerCase())
	const [only, second] = found
	if (only === undefined) return {left: {kind: 'not_found', message: 'No group that was read has this name.'}}
	if (second === undefined) return {id: only.guid}
	return {left: {kind: 'invalid', message: `${found.length} groups have this name: give the GUID.`}}
}
