import type {RequestEntry} from '#contract/instances.ts'

/** With its instance's id. */
export type Told = readonly [string | undefined, RequestEntry]

interface Follower {
	id: string | undefined
	waiting: RequestEntry[]
	wake: () => void
}

/** A slow reader loses the oldest. */
const mostWaiting = 1000

export function createFollowers() {
	const followers = new Set<Follower>()
	const ended = new AbortController()
	return {
		tell(entries: readonly Told[]) {
			for (const follower of followers) {
				const own = entries.flatMap(([id, entry]) => (follower.id === undefined || follower.id === id ? [entry] : []))
				if (own.length === 0) continue
				follower.waiting = [...follower.waiting, ...own].slice(-mostWaiting)
				follower.wake()
			}
		},
		/** Batches as they come; of all requests without `id`. Ends with the signal or with all followers. */
		follow: (id: string | undefined, signal: AbortSignal = ended.signal) => read(followers, id, AbortSignal.any([signal, ended.signal])),
		stop: () => ended.abort()
	}
}

async function* read(followers: Set<Follower>, id: string | undefined, stop: AbortSignal): AsyncGenerator<readonly RequestEntry[], void> {
	const follower: Follower = {id, waiting: [], wake: () => {}}
	const wake = () => follower.wake()
	stop.addEventListener('abort', wake)
	followers.add(follower)
	try {
		while (!stop.aborted) {
			if (follower.waiting.length === 0) await new Promise<void>(resolve => (follower.wake = resolve))
			const batch = follower.waiting
			follower.waiting = []
			if (batch.length > 0) yield batch
		}
	} finally {
		followers.delete(follower)
		stop.removeEventListener('abort', wake)
	}
}
