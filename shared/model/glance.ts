/** Isolation at a glance. Apart from the schemas, for the thread that writes the local copy starts faster without them. */

/** The four states of the service (API reference, "Endpoint isolation"). Others may come and are shown as they are. */
export const isolationStatuses = ['not_isolated', 'pending_start', 'isolated', 'pending_stop'] as const
export type IsolationStatus = (typeof isolationStatuses)[number]

/** What the list shows of a computer's isolation: `unavailable` only while it is not isolated at all. */
export type IsolationGlance = IsolationStatus | 'unavailable' | 'unknown'

export function glanceOf(isolation: {readonly available: boolean; readonly status: string} | undefined): IsolationGlance {
	if (isolation === undefined) return 'unknown'
	const status = isolationStatuses.find(known => known === isolation.status)
	if (status === undefined) return 'unknown'
	return status === 'not_isolated' && !isolation.available ? 'unavailable' : status
}
