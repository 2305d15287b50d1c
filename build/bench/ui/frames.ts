/** The browser's record of each frame: how long our script held the page's thread, and the tasks that held it too long. */
import type {Browser, Page} from '@playwright/test'

interface TraceEvent {
	name: string
	ph: string
	/** Microseconds. */
	ts: number
	dur?: number
	pid: number
	tid: number
}

export interface Frames {
	/** Script time of each frame that had any, in milliseconds. */
	scriptMs: readonly number[]
	/** Tasks above 50 ms, in milliseconds. */
	longTasksMs: readonly number[]
}

/** The main thread hands a finished frame over. */
const frameEnd = 'BeginCommitCompositorFrame'

/** Our own work: event handlers, frame callbacks, timers, messages. Style, layout and paint are the browser's. */
const script = new Set([
	'EventDispatch',
	'FireAnimationFrame',
	'TimerFire',
	'FunctionCall',
	'RunMicrotasks',
	'EvaluateScript',
	'HandlePostMessage'
])

export async function framesDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<Frames> {
	await browser.startTracing(page, {categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel']})
	await act()
	const text = (await browser.stopTracing()).toString('utf8')
	const {traceEvents} = JSON.parse(text) as {traceEvents: readonly TraceEvent[]}
	return summed(traceEvents)
}

function summed(events: readonly TraceEvent[]): Frames {
	const thread = busiest(events)
	const own = events.filter(({pid, tid}) => `${pid}.${tid}` === thread)
	const frames = own
		.filter(({name}) => name === frameEnd)
		.map(({ts}) => ts)
		.toSorted((a, b) => a - b)
	const spans = merged(own.filter(({name, dur}) => script.has(name) && dur !== undefined))
	const perFrame = frames.slice(0, -1).map((from, index) => scriptWithin(spans, from, frames[index + 1] ?? from))
	const tasks = own.filter(({name, dur}) => name === 'RunTask' && dur !== undefined && dur > 50_000)
	return {scriptMs: perFrame.filter(ms => ms > 0), longTasksMs: tasks.map(({dur}) => (dur ?? 0) / 1000)}
}

/** The page's thread made the most frames. */
function busiest(events: readonly TraceEvent[]) {
	const counts = new Map<string, number>()
	for (const {name, pid, tid} of events) {
		if (name === frameEnd) counts.set(`${pid}.${tid}`, (counts.get(`${pid}.${tid}`) ?? 0) + 1)
	}
	return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

type Span = readonly [from: number, to: number]

/** Drops spans that lie within another. */
function merged(events: readonly TraceEvent[]) {
	const spans: Span[] = []
	for (const {ts, dur} of events.toSorted((a, b) => a.ts - b.ts)) {
		const last = spans.at(-1)
		const to = ts + (dur ?? 0)
		if (last !== undefined && ts <= last[1]) spans[spans.length - 1] = [last[0], Math.max(last[1], to)]
		else spans.push([ts, to])
	}
	return spans
}

function scriptWithin(spans: readonly Span[], from: number, to: number) {
	let sum = 0
	for (const [start, end] of spans) {
		if (start >= to) break
		if (start >= from) sum += end - start
	}
	return sum / 1000
}
