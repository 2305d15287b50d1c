import {useDeferredValue, useEffect, useMemo, useRef, useState} from 'react'

import type {GroupNode} from '#contract/directory.ts'

import {useComputersCount} from '#api/hooks.tsx'
import {oddNames} from './name-checks.ts'
import type {GroupsSearch} from './search.ts'
import {byGuid, countMatches, linesOf, pathOf, withBelow, type Opened} from './tree-model.ts'

export type TreeView = ReturnType<typeof useTreeView>

/** Visible groups and their state. `show` brings a group into view. */
export function useTreeView(groups: readonly GroupNode[], {group: guid, search}: GroupsSearch, show: (guid: string) => void) {
	const [opened, setOpened] = useState<Opened>(new Map())
	/** The search text; may be empty. */
	const wanted = useDeferredValue((search ?? '').trim())
	const known = useMemo(() => byGuid(groups), [groups])
	const lines = useMemo(() => linesOf(groups, opened, wanted), [groups, opened, wanted])
	/** Name problems, by GUID. */
	const odd = useMemo(() => oddNames(groups), [groups])
	/** GUIDs of search matches; `null` without a search. */
	const matching = useMemo(
		() => (wanted === '' ? null : new Set(lines.filter(({isMatch}) => isMatch).map(({node}) => node.guid))),
		[lines, wanted]
	)
	const isCounted = useComputersCount() !== null
	const sum = useMemo(() => groups.reduce((sum, {parent, below}) => (parent === null ? sum + below.computers : sum), 0), [groups])
	/** The group in the address, it with subgroups, and its path from the root. */
	const shown = guid === undefined ? undefined : known.get(guid)
	const below = useMemo(() => (shown === undefined ? [] : withBelow(groups, shown.guid)), [groups, shown])
	const path = useMemo(() => (shown === undefined ? [] : pathOf(known, shown.guid)), [known, shown])
	const fold = (guids: Iterable<string>, isOpen: boolean) =>
		setOpened(old => new Map([...old, ...[...guids].map(each => [each, isOpen] as const)]))
	useReveal({guid, known, open: guids => fold(guids, true), show})
	return {
		/** Computers of the tenant; `null` if not loaded. */
		whole: isCounted ? sum : null,
		...{known, lines, wanted, matching, odd, shown, path, below, fold},
		/** Number of search matches; `null` without a search. */
		matches: wanted === '' ? null : countMatches(lines)
	}
}

export function parentsIn(groups: readonly GroupNode[]): readonly string[] {
	return groups.filter(({children}) => children.length > 0).map(({guid}) => guid)
}

interface Reveal {
	guid: string | undefined
	known: ReadonlyMap<string, GroupNode>
	open: (guids: readonly string[]) => void
	show: (guid: string) => void
}

/** Brings the group in the address into view once, with its ancestors open. */
function useReveal({guid, known, open, show}: Reveal) {
	const revealed = useRef<string | undefined>(undefined)
	const latest = useRef({open, show})
	latest.current = {open, show}
	useEffect(() => {
		if (guid === undefined || guid === revealed.current || !known.has(guid)) return
		revealed.current = guid
		latest.current.open(
			pathOf(known, guid)
				.slice(0, -1)
				.map(node => node.guid)
		)
		const frame = requestAnimationFrame(() => latest.current.show(guid))
		return () => cancelAnimationFrame(frame)
	}, [guid, known])
}
