/** Cursor movement: pure, for tests without a page. */

export type TableKey = {kind: 'move'; to: number; extend: boolean} | {kind: 'open'} | {kind: 'peek'} | {kind: 'toggle'} | {kind: 'all'}

export interface KeyFacts {
	key: string
	shift: boolean
	/** Ctrl, or Cmd on a Mac. */
	control: boolean
	alt: boolean
}

interface TableFacts {
	cursor: number
	count: number
	/** Number of complete visible rows. */
	page: number
	/** Whether `j`, `k` and `x` are shortcuts. */
	letters: boolean
}

/** The action of a key in a table; `null` without one. */
export function keyInTable(key: KeyFacts, table: TableFacts): TableKey | null {
	if (key.alt) return null
	if (key.control) return key.key.toLowerCase() === 'a' ? {kind: 'all'} : null
	const to = target(key, table)
	if (to !== null) return table.count === 0 ? null : {kind: 'move', to: clamp(to, table.count), extend: key.shift}
	if (key.key === 'Enter') return {kind: 'open'}
	if (key.key === ' ') return {kind: 'peek'}
	if (key.key === 'x' && table.letters) return {kind: 'toggle'}
	return null
}

function target({key, shift}: KeyFacts, {cursor, count, page, letters}: TableFacts) {
	const from = cursor < 0 ? -1 : cursor
	if (key === 'ArrowDown' || (letters && !shift && key === 'j')) return from + 1
	if (key === 'ArrowUp' || (letters && !shift && key === 'k')) return cursor < 0 ? 0 : cursor - 1
	if (key === 'Home') return 0
	if (key === 'End') return count - 1
	if (key === 'PageDown') return Math.max(0, cursor) + page
	if (key === 'PageUp') return Math.max(0, cursor) - page
	return null
}

function clamp(index: number, count: number) {
	return Math.max(0, Math.min(count - 1, index))
}
