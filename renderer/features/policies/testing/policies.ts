import type {GroupNode, PolicyRow} from '#contract/directory.ts'

/** A policy of a test: given fields, the rest empty. */
export function policy(given: Partial<PolicyRow> & Pick<PolicyRow, 'guid'>): PolicyRow {
	return {
		name: given.guid,
		product: 'windows',
		description: '',
		isDefault: false,
		serial: 1,
		groups: null,
		fileLists: null,
		ipLists: null,
		exclusionSets: null,
		computers: 0,
		readAt: '2026-01-31T12:00:00.000Z',
		problem: null,
		vanishedAt: null,
		...given
	}
}

const none = {computers: 0, compromised: 0, isolated: 0}

export function group(given: Partial<GroupNode> & Pick<GroupNode, 'guid'>): GroupNode {
	return {
		name: given.guid,
		description: '',
		source: null,
		parent: null,
		children: [],
		...none,
		below: none,
		policies: null,
		readAt: '2026-01-31T12:00:00.000Z',
		problem: null,
		vanishedAt: null,
		...given
	}
}
