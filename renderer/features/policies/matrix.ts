/** The two matrices as rows and columns: pure, for tests without a page. */
import type {GroupNode, GroupPolicyUse, PolicyRow} from '#contract/directory.ts'

import {inListTypeOrder, inProductOrder} from '#commands/directory/directory-words.ts'
import {answersTo} from '#commands/directory/search-words.ts'

export interface GroupLine {
	group: GroupNode
	/** 1 for roots. */
	level: number
	/** By product; `null` while the details are not loaded. */
	uses: ReadonlyMap<string, GroupPolicyUse> | null
}

/** Groups in tree order with their policies by product, filtered by `search`. */
export function groupLines(groups: readonly GroupNode[], search: string, product?: string): readonly GroupLine[] {
	const levels = new Map<string, number>()
	const words = search.toLowerCase().split(/\s+/)
	return groups
		.map(group => {
			const level = (levels.get(group.parent ?? '') ?? 0) + 1
			levels.set(group.guid, level)
			const uses = group.policies?.filter(use => product === undefined || use.product === product)
			return {group, level, uses: uses === undefined ? null : new Map(uses.map(use => [use.product, use]))}
		})
		.filter(({group, uses}) => {
			const names = [...(uses?.values() ?? [])].map(({name}) => name).join(' ')
			return answersTo({name: group.name, description: names, guid: group.guid}, words)
		})
}

export function productsIn(groups: readonly GroupNode[], policies: readonly PolicyRow[]) {
	return inProductOrder([...policies.map(({product}) => product), ...groups.flatMap(group => (group.policies ?? []).map(({product}) => product))])
}

/** They scroll sideways beside the pinned columns; more would be slow, so they come in pages. */
export const listColumnsAtOnce = 40

export type ListColumns = ReturnType<typeof listColumns>

/** The file lists used by these policies, by kind and name, one page. */
export function listColumns(policies: readonly PolicyRow[], from: number) {
	const all = new Map(policies.flatMap(({fileLists}) => (fileLists ?? []).map(list => [list.guid, list] as const)))
	const kinds = inListTypeOrder([...all.values()].map(({type}) => type))
	const sorted = [...all.values()].toSorted((a, b) => kinds.indexOf(a.type) - kinds.indexOf(b.type) || a.name.localeCompare(b.name, 'en'))
	const last = Math.max(0, Math.floor((sorted.length - 1) / listColumnsAtOnce) * listColumnsAtOnce)
	const start = Math.min(last, Math.floor(from / listColumnsAtOnce) * listColumnsAtOnce)
	return {
		columns: sorted.slice(start, start + listColumnsAtOnce),
		/** Position of the first column among all. */
		from: start,
		of: sorted.length
	}
}

export function unreadGroups(lines: readonly GroupLine[]) {
	return lines.filter(({uses, group}) => uses === null && group.vanishedAt === null).length
}

/** Why no list is shown for these policies: not loaded differs from none. */
export function noListWords(policies: readonly PolicyRow[]): string | null {
	if (policies.length === 0) return null
	if (policies.every(({fileLists}) => fileLists !== null)) return 'None of these policies uses a list.'
	return 'Their lists are not known yet.'
}
