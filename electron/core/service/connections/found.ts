/** `undefined` for one that was removed. */
export function foundConnection<T>(connections: {find(id: string): T}, id: string | null): T | undefined {
	try {
		return connections.find(id ?? '')
	} catch {
		return undefined
	}
}
