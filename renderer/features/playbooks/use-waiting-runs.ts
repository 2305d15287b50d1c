import {needsSomebody} from '#model/playbook.ts'
import {useAsked} from '#api/hooks.tsx'

export const shownRuns = 50

/** As many as one call lists. */
const mostOpen = 500

/** Runs that need somebody. A run tells no page when it begins to. */
export function useWaitingRuns(refetchInterval: number, enabled = true) {
	const input = {state: 'open', offset: 0, limit: mostOpen} as const
	const {data} = useAsked(q => q.playbooks.runs, {input, enabled, refetchInterval})
	return data?.rows.filter(needsSomebody) ?? []
}
