import type {GroupNode, GroupPolicyUse} from '#contract/directory.ts'

const none = {computers: 0, compromised: 0, isolated: 0}

/** Groups of a test, by lines such as `Wards > Hospital`: a name and its parent, parents first. */
export function groupsOf(...lines: readonly string[]): readonly GroupNode[] {
	const pairs = lines.map(line => line.split(' > '))
	return pairs.map(([name = '', parent = null]) => ({
		guid: name.toLowerCase(),
		name,
		description: '',
		source: null,
		parent: parent?.toLowerCase() ?? null,
		children: pairs.filter(pair => pair[1] === name).map(([child = '']) => child.toLowerCase()),
		...none,
		below: none,
		policies: null,
		readAt: '2026-01-31T12:00:00.000Z',
		problem: null,
		vanishedAt: null
	}))
}

export function used(product: string, name: string, inherited = false): GroupPolicyUse {
	return {guid: `${product}-${name}`.toLowerCase(), name, product, inherited}
}
