import {every} from '#base/every.ts'
import type {Clock} from '#base/ports.ts'

/** How often the file is asked for changes by other processes, in milliseconds. */
const watchMs = 1000

/** `guid`: `null` when it is not one object alone. */
type Change = {guid: string | null}
type Listener = (change: Change) => void

export type Changes = ReturnType<typeof makeChanges>

/**
 * `version` changes with every commit of another process; it is watched only while somebody listens, and if it is given.
 * Changes of many rows are announced at most every `gapMs()`.
 */
export function makeChanges(clock: Clock, version: (() => number) | null, gapMs: () => number) {
	const listeners = new Set<Listener>()
	const stopped = new AbortController()
	let watching: AbortController | undefined
	let toldAt = Number.NEGATIVE_INFINITY
	let waiting = false
	let due = false

	const tell = (change: Change) => {
		for (const listener of [...listeners]) listener(change)
	}
	const flush = () => {
		if (!due || stopped.signal.aborted) return
		due = false
		toldAt = clock.monotonic()
		tell({guid: null})
	}
	const flushLater = async (ms: number) => {
		waiting = true
		try {
			await clock.sleep(ms, stopped.signal)
		} catch {
			return
		}
		waiting = false
		flush()
	}
	const touch = (guid: string | null) => {
		if (guid !== null) return tell({guid})
		due = true
		const left = toldAt + gapMs() - clock.monotonic()
		if (left <= 0) flush()
		else if (!waiting) void flushLater(left)
	}
	const watch = () => {
		if (version === null) return
		let seen = version()
		watching = new AbortController()
		void every(clock, watchMs, watching.signal, () => {
			const before = seen
			try {
				seen = version()
				if (seen !== before) touch(null)
			} catch {
				// A file that cannot be read now is told with the next look; who needs it gets the error.
				seen = before
			}
		})
	}

	return {
		/** One object: reported at once. `null`: announced now or within the gap. */
		touch,
		/** Announces pending changes now. */
		flush,
		listen: (listener: Listener) => {
			// Wrapped, so that the same function can listen twice.
			const own: Listener = change => listener(change)
			listeners.add(own)
			if (watching === undefined) watch()
			return () => {
				listeners.delete(own)
				if (listeners.size > 0) return
				watching?.abort()
				watching = undefined
			}
		},
		stop: () => {
			stopped.abort()
			watching?.abort()
			listeners.clear()
		}
	}
}
