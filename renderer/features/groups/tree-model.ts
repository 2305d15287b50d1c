/** Which lines of the tree are shown: pure, so that it can be tested without a page. */
import type {GroupNode} from '#shared/contract/directory.ts'

import {answersTo} from '../../commands/directory/search-words.ts'

export interface TreeLine {
	readonly node: GroupNode
	/** 1 for roots. */
	readonly level: number
	/** `null`: nothing is below it. */
	readonly isOpen: boolean | null
	/** Answers to the search itself, and is not only on the way to one that does. */
	readonly isMatch: boolean
	/** Place among its brothers that are shown, from 1. */
	readonly place: number
	readonly brothers: number
}

/** Groups that a person opened or closed; the others follow the rule. */
export type Opened = ReadonlyMap<string, boolean>

/** So many groups are shown whole; of more, only what is below the roots is folded away. */
const mostOpen = 250

/**
 * The lines in view. `groups` stand parents before children, as the tree gives them. A search shows what answers to it
 * and its ancestors, all open.
 */
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

function opensItself(groups: readonly GroupNode[], level: number): boolean {
	return groups.length <= mostOpen || level === 1
}

function placed(lines: readonly Omit<TreeLine, 'place' | 'brothers'>[]): readonly TreeLine[] {
	const counts = new Map<string, number>()
	const places = lines.map(({node}) => {
		const place = (counts.get(node.parent ?? '') ?? 0) + 1
		counts.set(node.parent ?? '', place)
		return place
	})
	return lines.map((line, index) => ({...line, place: places[index] ?? 1, brothers: counts.get(line.node.parent ?? '') ?? 1}))
}

function answering(groups: readonly GroupNode[], search: string) {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean)
	const matches = new Set(groups.filter(group => answersTo(group, words)).map(({guid}) => guid))
	const all = new Set(matches)
	// Children come after their parents: going back, each line has reported to its parent before that is reached.
	for (const {guid, parent} of groups.toReversed()) if (parent !== null && all.has(guid)) all.add(parent)
	return {matches, all}
}

/** How many groups answer to a search. */
export function countMatches(lines: readonly TreeLine[]): number {
	return lines.filter(({isMatch}) => isMatch).length
}

/** From the root down to the group itself. */
export function pathOf(groups: ReadonlyMap<string, GroupNode>, guid: string): readonly GroupNode[] {
	const path: GroupNode[] = []
	for (let at = groups.get(guid); at !== undefined && !path.includes(at); at = groups.get(at.parent ?? '')) path.unshift(at)
	return path
}

/** The group and all that are below it, in the order of the tree. */
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
