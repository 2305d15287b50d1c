import {useMemo} from 'react'

import {useSelection} from '#state/ui.tsx'

/**
 * The selected computers of a connection: a frozen list of GUIDs in the order of selection. No filter, refresh or other screen
 * changes it. Bulk actions use the current `guids`.
 */
export interface FrozenSelection {
	readonly guids: readonly string[]
	readonly size: number
	/** The same list for the table. */
	readonly asSet: ReadonlySet<string>
	has(guid: string): boolean
	replace(guids: Iterable<string>): void
	/** To those that are selected by then. */
	add(guids: readonly string[]): void
	clear(): void
}

export function useFrozenSelection(connection: string): FrozenSelection {
	const [asSet, set] = useSelection(connection)
	return useMemo(
		() => ({
			guids: [...asSet],
			size: asSet.size,
			asSet,
			has: guid => asSet.has(guid),
			replace: guids => set(new Set(guids)),
			add: guids => set(old => old.union(new Set(guids))),
			clear: () => set(new Set()),
		}),
		// `set` is recreated with every render and always does the same.
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
		[asSet],
	)
}
