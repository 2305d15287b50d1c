export function runningCounts() {
	const counts = new Map<string, number>()
	const listeners = new Set<(connection: string) => void>()
	const add = (connection: string, by: 1 | -1) => {
		counts.set(connection, (counts.get(connection) ?? 0) + by)
		for (const listener of listeners) listener(connection)
	}
	return {
		enter(connection: string) {
			add(connection, 1)
			return () => add(connection, -1)
		},
		of: (connection: string) => counts.get(connection) ?? 0,
		listen(listener: (connection: string) => void) {
			listeners.add(listener)
			return () => listeners.delete(listener)
		}
	}
}
