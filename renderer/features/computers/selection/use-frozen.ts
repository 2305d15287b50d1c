import {useMemo} from 'react'

import {useSelection} from '#state/ui.tsx'

export type FrozenSelection = ReturnType<typeof useFrozenSelection>

/**
 * The selected computers of a connection: a frozen list of GUIDs in the order of selection. No filter, refresh or other screen
 * changes it. Bulk actions use the current `guids`.
 */
export function useFrozenSelection(connection: string) {
	const [asSet, set] = useSelection(connection)
	return useMemo(
		() => ({
			guids: [...asSet],
			size: asSet.size,
			/** The same list for the table. */
			asSet,
			has: (guid: string) => asSet.has(guid),
			replace: (guids: Iterable<string>) => set(new Set(guids)),
			/** To those that are selected by then. */
			add: (guids: readonly string[]) => set(old => old.union(new Set(guids))),
			clear: () => set(new Set())
		}),
		// `set` is recreated with every render and always does the same.
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
		[asSet]
	)
}
