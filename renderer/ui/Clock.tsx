import {createContext, useContext, useMemo, useSyncExternalStore, type ReactNode} from 'react'

import {setTimeFormats, type TimeFormats, type TimeZone} from './time.ts'

/** One clock for the whole page, so that all ages change together. */
export interface PageClock {
	now(): number
	subscribe(listener: () => void): () => void
}

/** Ticks once a second while there are listeners. */
export function createPageClock(): PageClock {
	const listeners = new Set<() => void>()
	let timer: ReturnType<typeof setInterval> | undefined
	let now = Date.now()
	const tick = () => {
		now = Date.now()
		for (const listener of listeners) listener()
	}
	return {
		// Changes only with a tick: React must get the same value twice within a render.
		now: () => now,
		subscribe(listener) {
			if (listeners.size === 0) {
				now = Date.now()
				timer = setInterval(tick, 1000)
			}
			listeners.add(listener)
			return () => {
				listeners.delete(listener)
				if (listeners.size === 0) clearInterval(timer)
			}
		},
	}
}

interface ClockFacts {
	readonly clock: PageClock
	readonly zone: TimeZone
}

const ClockContext = createContext<ClockFacts | null>(null)

interface ClockProviderProps extends ClockFacts {
	clockForm: TimeFormats['clock']
	dateForm: TimeFormats['date']
	children: ReactNode
}

export function ClockProvider({clock, zone, clockForm, dateForm, children}: ClockProviderProps) {
	// Changed settings render all times again; they must be applied first.
	const facts = useMemo(() => {
		setTimeFormats({clock: clockForm, date: dateForm})
		return {clock, zone}
	}, [clock, zone, clockForm, dateForm])
	return <ClockContext.Provider value={facts}>{children}</ClockContext.Provider>
}

function useClockFacts(): ClockFacts {
	const facts = useContext(ClockContext)
	if (facts === null) throw new Error('There is no ClockProvider above this component.')
	return facts
}

export function useTimeZone(): TimeZone {
	return useClockFacts().zone
}

/** A value derived from the present time. Renders again only when it changes: return a string or a number. */
export function useFromNow<T extends string | number | boolean | null>(derive: (now: number) => T): T {
	const {clock} = useClockFacts()
	return useSyncExternalStore(clock.subscribe, () => derive(clock.now()))
}
