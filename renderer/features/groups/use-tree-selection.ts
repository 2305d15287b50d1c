import {useRef, type ReactNode, type Ref} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import {useAnnounce} from '#ui/Announcer.tsx'
import {toggled} from '#ui/table/picking.ts'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import type {DraggedComputer} from './drag.ts'
import type {TreeView} from './use-tree-view.ts'

export interface TreeHandle {
	focus(): void
	/** Brings a group into view. */
	show(guid: string): void
}

export interface GroupTreeProps extends Pick<TreeView, 'lines' | 'odd' | 'whole' | 'wanted'> {
	/** GUID at the cursor, if any. */
	cursor: string | undefined
	onCursor: (node: GroupNode) => void
	/** GUIDs of selected groups, including hidden ones. */
	selection: ReadonlySet<string>
	onSelection: (selection: ReadonlySet<string>) => void
	onOpen: (guid: string, open: boolean) => void
	onOpenBelow: (guid: string, open: boolean) => void
	/** Enter or double click. */
	onMembers: (node: GroupNode) => void
	/** A click on the name. */
	onPage: (node: GroupNode) => void
	menu: (node: GroupNode) => RowActs
	/** A click on a line opens the panel. */
	isPeeking: boolean
	/** Space. */
	onPeek: (node: GroupNode) => void
	onDrop: (computer: DraggedComputer, node: GroupNode) => void
	isBusy: boolean
	/** Shown instead of lines when there are none; `undefined` while loading. */
	empty: ReactNode | undefined
	handle: Ref<TreeHandle>
}

export type TreeSelection = ReturnType<typeof useTreeSelection>

/** Selected groups of the tree. Folding, searching and refreshing keep the selection. */
export function useTreeSelection({lines, selection, onSelection}: GroupTreeProps) {
	const announce = useAnnounce()
	const anchor = useRef(-1)
	const change = (next: ReadonlySet<string>) => {
		onSelection(next)
		announce(`${formatCount(next.size)} selected`, 'spoken')
	}
	const guids = (from: number, to: number): readonly string[] =>
		lines.slice(Math.min(from, to), Math.max(from, to) + 1).map(({node}) => node.guid)
	return {
		/** The cursor moved there: the next extension begins there. */
		begin: (index: number) => {
			anchor.current = index
		},
		/** Selects the lines from the beginning to there. */
		extend: (from: number, to: number) => {
			if (anchor.current < 0) anchor.current = Math.max(0, from)
			change(new Set([...selection, ...guids(anchor.current, to)]))
		},
		toggle: (index: number) => {
			const guid = lines[index]?.node.guid
			if (guid === undefined) return
			anchor.current = index
			change(toggled(selection, guid))
		},
		/** Selects every visible line. */
		all: () => change(new Set([...selection, ...guids(0, lines.length - 1)]))
	}
}
