import {useQueryClient} from '@tanstack/react-query'
import {useCallback, useState} from 'react'

import {useApi, useAsked} from '#api/hooks.tsx'

export type LineHistory = ReturnType<typeof useHistory>

export function useHistory() {
	const {client, queries} = useApi()
	const cache = useQueryClient()
	const stored = useAsked(q => q.commands.history).data
	const [place, setPlace] = useState<{index: number; draft: string}>({index: -1, draft: ''})
	const lines = newestFirst(stored ?? [])
	const remember = useCallback(
		(line: string) => {
			cache.setQueryData(queries.commands.history.queryKey(), old => [...(old ?? []), line])
			// A command that ran must not seem to have failed because its line was not stored.
			client.commands.remember({line}).catch(() => {})
		},
		[cache, client, queries]
	)
	return {
		/** Newest first, each line once. */
		lines,
		/** The line before or after the present one; `null` when none is. `draft` comes back at the end. */
		step(by: 1 | -1, draft: string) {
			const index = place.index + by
			if (index < -1 || index >= lines.length) return null
			const kept = place.index === -1 ? draft : place.draft
			setPlace({index, draft: kept})
			return index === -1 ? kept : (lines[index] ?? null)
		},
		remember,
		/** Ends walking: the next step starts at the newest line. */
		leave: () => setPlace({index: -1, draft: ''})
	}
}

function newestFirst(lines: readonly string[]) {
	return [...new Set(lines.toReversed())]
}
