import type {GroupSeed} from './tenant/groups.ts'
import type {Host} from './tenant/host.ts'
import {pickAt} from './tenant/random.ts'
import type {PolicySeed, Product} from './tenant/policies.ts'
import type {Tenant} from './tenant/tenant.ts'

export const products: readonly Product[] = ['windows', 'android', 'mac', 'linux', 'ios']

/** Current groups and their policies. Groups are identified by index. */
export type Directory = ReturnType<typeof createDirectory>

interface InForce {
	policy: PolicySeed
	inherited: boolean
}

export function createDirectory({groups, policies}: Tenant) {
	const groupIndexes = new Map(groups.map(({guid}, index) => [guid, index]))
	const policyGuids = new Map(policies.map(policy => [policy.guid, policy]))
	const assigned = groups.map(
		group => new Map(policies.filter(policy => group.policies[policy.product] === policy.name).map(policy => [policy.product, policy]))
	)
	const edits = new Map<string, number>()
	const ancestors = groups.map((_, group) => ancestorsOf(groups, group))
	const ancestry = (group: number): readonly number[] => ancestors[group] ?? []
	// Read with every record of a page of 500, changed rarely.
	const known = new Map<string, InForce>()
	const find = (group: number, product: Product): InForce => {
		const owner = [group, ...ancestry(group)].find(candidate => assigned[candidate]?.has(product))
		const own = owner === undefined ? undefined : assigned[owner]?.get(product)
		return {policy: own ?? defaultPolicy(policies, product), inherited: owner !== group}
	}
	return {
		/** Direct parent first. */
		ancestry,
		/** A group's policy for a product, and whether it is inherited. */
		policy: (group: number, product: Product) => {
			const key = `${product} ${group}`
			const found = known.get(key) ?? find(group, product)
			known.set(key, found)
			return found
		},
		assign: (group: number, policy: PolicySeed) => {
			known.clear()
			pickAt(assigned, group).set(policy.product, policy)
		},
		findGroup: (guid: string) => groupIndexes.get(guid.toLowerCase()),
		findPolicy: (guid: string) => policyGuids.get(guid.toLowerCase()),
		/** Increases with each change of a list that the policy uses. */
		serialNumber: (policy: PolicySeed) => policy.serialNumber + policy.lists.reduce((sum, list) => sum + (edits.get(list) ?? 0), 0),
		listChanged: (list: string) => void edits.set(list, (edits.get(list) ?? 0) + 1)
	}
}

function ancestorsOf(groups: readonly GroupSeed[], group: number): readonly number[] {
	const parent = groups[group]?.parent
	return parent === undefined ? [] : [parent, ...ancestorsOf(groups, parent)]
}

function defaultPolicy(policies: readonly PolicySeed[], product: Product) {
	const own = policies.filter(policy => policy.product === product)
	return own.find(policy => policy.default) ?? pickAt(own, 0)
}

export function productOf(host: Host): Product {
	return host.platform
}
