/**
 * What work takes of the processor. Other programs on the machine take time, and do not add to this: so a bound on it is a bound on
 * the work, and holds on a machine that is busy.
 */

/** Milliseconds that this thread has computed so far. */
export function computedMs() {
	const {user, system} = process.threadCpuUsage()
	return (user + system) / 1000
}

export function computed<T>(work: () => T): {ms: number; result: T} {
	const before = computedMs()
	const result = work()
	return {ms: computedMs() - before, result}
}
