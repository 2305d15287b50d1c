import {useQuery} from '@tanstack/react-query'

import {needsSomebody} from '#model/playbook.ts'
import {useApi} from '#api/hooks.tsx'

export const shownRuns = 50

/** As many as one call lists. */
const mostOpen = 500

/** Runs that need somebody. A run tells no page when it begins to. */
export function useWaitingRuns(refetchInterval: number, enabled = true) {
	const input = {state: 'open', offset: 0, limit: mostOpen} as const
	const asked = useApi().queries.playbooks.runs.queryOptions({input, enabled, refetchInterval})
	return useQuery(asked).data?.rows.filter(needsSomebody) ?? []
}
