import {every} from '#base/every.ts'
import type {Clock} from '#base/ports.ts'

/** How often the profile is asked for changes by other processes, in milliseconds. */
const interval = 1000

export type Listeners = ReturnType<typeof createListeners>

/** Tells listeners that something changed, whoever did it. Watches only while somebody listens. */
export function createListeners(clock: Clock, look: () => string) {
	const listeners = new Set<() => void>()
	let seen = ''
	let watching: AbortController | undefined

	const tell = (now: string) => {
		if (now === seen) return
		seen = now
		for (const listener of listeners) listener()
	}
	// A profile that is locked or gone for a moment has nothing new to tell; who needs it gets the error.
	const compareIfReadable = () => {
		const now = attempt(look)
		if (now !== undefined) tell(now)
	}
	const end = () => {
		watching?.abort()
		watching = undefined
	}

	return {
		add: (listener: () => void) => {
			const own = () => listener()
			listeners.add(own)
			if (watching === undefined) {
				seen = look()
				watching = new AbortController()
				void every(clock, interval, watching.signal, compareIfReadable)
			}
			return () => {
				listeners.delete(own)
				if (listeners.size === 0) end()
			}
		},
		/** This process changed something. */
		changed: () => {
			if (listeners.size > 0) tell(look())
		},
		stop: () => {
			listeners.clear()
			end()
		}
	}
}

function attempt(look: () => string) {
	try {
		return look()
	} catch {
		return undefined
	}
}
