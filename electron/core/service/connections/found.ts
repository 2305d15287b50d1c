export const leadsElsewhere = 'leads to another service since then. Nothing was sent: ask for it again.'

/** Whether both addresses lead to one service. */
export function sameService(one: string, other: string): boolean {
	return new URL(one).origin === new URL(other).origin
}

/** `undefined` for one that was removed. */
export function foundConnection<T>(connections: {find(id: string): T}, id: string | null): T | undefined {
	try {
		return connections.find(id ?? '')
	} catch {
		return undefined
	}
}
