interface RunningCounts {
	enter(connection: string): () => void
	of(connection: string): number
	listen(listener: (connection: string) => void): () => void
}

export function runningCounts(): RunningCounts {
	const counts = new Map<string, number>()
	const listeners = new Set<(connection: string) => void>()
	const add = (connection: string, by: 1 | -1) => {
		counts.set(connection, (counts.get(connection) ?? 0) + by)
		for (const listener of listeners) listener(connection)
	}
	return {
		enter(connection) {
			add(connection, 1)
			return () => add(connection, -1)
		},
		of: connection => counts.get(connection) ?? 0,
		listen(listener) {
			listeners.add(listener)
			return () => listeners.delete(listener)
		},
	}
}
