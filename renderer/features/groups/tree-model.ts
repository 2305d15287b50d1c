/** The visible lines of the tree: pure, for tests without a page. */
import type {GroupNode} from '#contract/directory.ts'

import {answersTo} from '#commands/directory/search-words.ts'

export interface TreeLine {
	node: GroupNode
	/** 1 for roots. */
	level: number
	/** `null`: without children. */
	isOpen: boolean | null
	/** Whether it matches the search itself, not only as an ancestor. */
	isMatch: boolean
	/** Position among visible siblings, from 1. */
	place: number
	brothers: number
}

/** Groups opened or closed by the operator; others follow the default. */
export type Opened = ReadonlyMap<string, boolean>

/** Up to this number all groups are open; beyond, only roots. */
const mostOpen = 250

/** The visible lines. `groups`: parents before children. A search shows matches and their ancestors, all open. */
export function linesOf(groups: readonly GroupNode[], opened: Opened, search: string): readonly TreeLine[] {
	const shown = search === '' ? null : answering(groups, search)
	const levels = new Map<string, number>()
	const visible: {node: GroupNode; level: number; isOpen: boolean | null; isMatch: boolean}[] = []
	const openNow = new Set<string>()
	for (const node of groups) {
		const parent = node.parent === null ? undefined : levels.get(node.parent)
		const level = (parent ?? 0) + 1
		levels.set(node.guid, level)
		if (shown !== null && !shown.all.has(node.guid)) continue
		if (node.parent !== null && parent !== undefined && !openNow.has(node.parent)) continue
		const below = shown === null ? node.children : node.children.filter(child => shown.all.has(child))
		const isOpen = below.length === 0 ? null : shown !== null || (opened.get(node.guid) ?? opensItself(groups, level))
		if (isOpen === true) openNow.add(node.guid)
		visible.push({node, level, isOpen, isMatch: shown === null || shown.matches.has(node.guid)})
	}
	return placed(visible)
}

function opensItself(groups: readonly GroupNode[], level: number) {
	return groups.length <= mostOpen || level === 1
}

function placed(lines: readonly Omit<TreeLine, 'place' | 'brothers'>[]) {
	const counts = new Map<string, number>()
	const places = lines.map(({node}) => {
		const place = (counts.get(node.parent ?? '') ?? 0) + 1
		counts.set(node.parent ?? '', place)
		return place
	})
	return lines.map((line, index) => ({...line, place: places[index] ?? 1, brothers: counts.get(line.node.parent ?? '') ?? 1}))
}

function answering(groups: readonly GroupNode[], search: string) {
	const words = search.toLowerCase().split(/\s+/)
	const matches = new Set(groups.filter(group => answersTo(group, words)).map(({guid}) => guid))
	const all = new Set(matches)
	// Children follow their parents: in reverse, each line reports to its parent first.
	for (const {guid, parent} of groups.toReversed()) if (parent !== null && all.has(guid)) all.add(parent)
	return {matches, all}
}

export function countMatches(lines: readonly TreeLine[]) {
	return lines.filter(({isMatch}) => isMatch).length
}

/** From the root down to the group itself. */
export function pathOf(groups: ReadonlyMap<string, GroupNode>, guid: string): readonly GroupNode[] {
	const path: GroupNode[] = []
	for (let at = groups.get(guid); at !== undefined && !path.includes(at); at = groups.get(at.parent ?? '')) path.unshift(at)
	return path
}

/** The group and its descendants, in tree order. */
export function withBelow(groups: readonly GroupNode[], guid: string): readonly GroupNode[] {
	const below = new Set([guid])
	return groups.filter(node => {
		if (node.parent !== null && below.has(node.parent)) below.add(node.guid)
		return below.has(node.guid)
	})
}

export function byGuid(groups: readonly GroupNode[]): ReadonlyMap<string, GroupNode> {
	return new Map(groups.map(group => [group.guid, group]))
}
