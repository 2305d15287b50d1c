/** Isolation states. Separate from the schemas, because the thread that writes the local copy starts faster without them. */

/** The four states of the service (API reference, "Endpoint isolation"). Other values are shown as received. */
export const isolationStatuses = ['not_isolated', 'pending_start', 'isolated', 'pending_stop'] as const
export type IsolationStatus = (typeof isolationStatuses)[number]

/** Isolation in the list: `unavailable` only while not isolated. */
export type IsolationGlance = IsolationStatus | 'unavailable' | 'unknown'

export function glanceOf(isolation: {available: boolean; status: string} | undefined): IsolationGlance {
	if (isolation === undefined) return 'unknown'
	const status = isolationStatuses.find(known => known === isolation.status)
	if (status === undefined) return 'unknown'
	return status === 'not_isolated' && !isolation.available ? 'unavailable' : status
}

/** Isolated, or about to be. */
export function isHeld(status: unknown) {
	return status === 'isolated' || status === 'pending_start'
}
