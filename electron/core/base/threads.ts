/**
 * The file of a thread. Sources (`here` ends with `.ts`) run as they are; in the bundle the thread is an entry of its own, and
 * `here` may be a part beside the entries.
 */
export function workerUrl(here: string, source: string, entry: string): URL {
	if (here.endsWith('.ts')) return new URL(`./${source}.ts`, here)
	return new URL(`${here.includes('/chunks/') ? '..' : '.'}/${entry}.js`, here)
}

/** Whether the work ends within `ms` milliseconds of real time: threads and sockets know no other clock. */
export async function endsWithin(work: Promise<unknown>, ms: number) {
	const {promise: late, resolve} = Promise.withResolvers<false>()
	const timer = setTimeout(() => resolve(false), ms)
	return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}
