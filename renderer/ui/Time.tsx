import {formatAge, formatCountdown} from '#text/durations.ts'
import {cx} from './cx.ts'
import styles from './Time.module.css'
import {formatClock, formatExact, freshness, setTimeFormats, type TimeFormats, type TimeZone} from './time.ts'
import {createContext, useContext, useMemo, useSyncExternalStore, type ReactNode} from 'react'

interface TimeProps {
	at: string | null
	/** `age`: `3 min`; `ago`: `3 min ago`; `exact`: date and time; `clock`: time of day. */
	form?: 'age' | 'ago' | 'exact' | 'clock'
	/** Shown when the time is unknown. */
	unknown?: string
	/** Makes the exact time reachable by keyboard. Omit in table cells. */
	focusable?: boolean
}

/** A self-updating time. The exact time is its title. */
export function Time({at, form = 'ago', unknown = 'unknown', focusable = false}: TimeProps) {
	const zone = useTimeZone()
	const age = useFromNow(now => (at === null || form === 'exact' || form === 'clock' ? null : ageAt(at, now)))
	if (at === null) return <span className="dim">{unknown}</span>
	const exact = formatExact(at, zone)
	const text = form === 'exact' ? exact : form === 'clock' ? formatClock(at, zone) : `${age ?? ''}${form === 'ago' ? ' ago' : ''}`
	const reach = focusable ? {tabIndex: 0, 'aria-label': `${text}, ${exact}`} : {}
	return (
		<time dateTime={at} title={exact} className={cx(styles.time, focusable && styles.focusable)} data-exact={exact} {...reach}>
			{text}
		</time>
	)
}

/** Time left until `to`, as `31:07`. */
export function Countdown({to}: {to: string}) {
	const left = useFromNow(now => formatCountdown(Date.parse(to) - now))
	return (
		<time dateTime={to} className={styles.time} role="timer">
			{left}
		</time>
	)
}

/** A small bar, full for a recent time and empty after 30 days, beside the age in words. */
export function AgeBar({at}: {at: string | null}) {
	const zone = useTimeZone()
	// One value for both, because a table shows dozens that follow the clock.
	const view = useFromNow(now => (at === null ? 'never' : `${shareOf(at, now)} ${ageAt(at, now)}`))
	const space = view.indexOf(' ')
	const [share, text] = space < 0 ? ['0', view] : [view.slice(0, space), view.slice(space + 1)]
	return (
		<span className={styles.age} {...(at !== null && {title: formatExact(at, zone)})}>
			<span className="meter" aria-hidden>
				<span style={{width: `${share}%`}} />
			</span>
			{at === null ? <span className="dim">{text}</span> : <time dateTime={at}>{text}</time>}
		</span>
	)
}

/** Percent in steps of four: a bar of 28 pixels cannot show more. */
function shareOf(at: string, now: number) {
	return Math.round(freshness(now - Date.parse(at)) * 25) * 4
}

function ageAt(at: string, now: number) {
	const time = Date.parse(at)
	return Number.isNaN(time) ? at : formatAge(now - time)
}

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
		}
	}
}

interface ClockFacts {
	clock: PageClock
	zone: TimeZone
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

function useClockFacts() {
	const facts = useContext(ClockContext)
	if (facts === null) throw new Error('There is no ClockProvider above this component.')
	return facts
}

export function useTimeZone() {
	return useClockFacts().zone
}

/** A value derived from the present time. Renders again only when it changes: return a string or a number. */
export function useFromNow<T extends string | number | boolean | null>(derive: (now: number) => T) {
	const {clock} = useClockFacts()
	return useSyncExternalStore(clock.subscribe, () => derive(clock.now()))
}

/** A shorter wait ends before anyone could read or stop it (ms). */
const worthTelling = 1000

/** Elapsed time since `since` (Unix milliseconds); `null` while too short to show: avoids flashing. */
export function useLongAge(since: number) {
	return useFromNow(now => (now - since < worthTelling ? null : formatAge(now - since)))
}
