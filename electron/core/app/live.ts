import type {LiveEvent} from '#contract/live.ts'

export type LiveStream = ReturnType<typeof createLiveStream>

interface LiveOptions {
	/** The first events for a new or lagging subscriber: `hello`, then a `frame` for every connection. */
	greeting: () => readonly LiveEvent[]
	/** The most events that wait for a slow reader. Default: 500. */
	capacity?: number
}

interface Subscriber {
	/** Waiting events by topic: a newer one replaces the older, because each says only *that* something changed. */
	waiting: Map<string, LiveEvent>
	wake: () => void
	/** Set when events were dropped: the reader starts over with a greeting. */
	behind: boolean
}

/** Sends events to every open page; a slow page holds at most `capacity` events in memory. */
export function createLiveStream(options: LiveOptions) {
	const capacity = options.capacity ?? 500
	const subscribers = new Set<Subscriber>()
	const ended = new AbortController()
	return {
		publish(event: LiveEvent) {
			for (const subscriber of subscribers) enqueue(subscriber, event, capacity)
		},
		/** Ends when the signal aborts, when the reader returns, or when the stream stops. */
		subscribe(signal: AbortSignal = ended.signal) {
			const left = new AbortController()
			const stop = AbortSignal.any([left.signal, ended.signal, signal])
			const events = follow(subscribers, options.greeting, stop)
			return leaveAtOnce(events, left)
		},
		get subscribers() {
			return subscribers.size
		},
		stop: () => ended.abort()
	}
}

async function* follow(subscribers: Set<Subscriber>, greeting: LiveOptions['greeting'], stop: AbortSignal): AsyncGenerator<LiveEvent, void> {
	const subscriber: Subscriber = {waiting: new Map(), wake: () => {}, behind: true}
	const leave = () => {
		subscribers.delete(subscriber)
		subscriber.wake()
	}
	stop.addEventListener('abort', leave)
	subscribers.add(subscriber)
	try {
		while (!stop.aborted) {
			yield* take(subscriber, greeting)
			if (!stop.aborted) await something(subscriber)
		}
	} finally {
		leave()
		stop.removeEventListener('abort', leave)
	}
}

/** A generator's own `return` waits for its pending `next`; a page that leaves cannot wait. */
function leaveAtOnce(events: AsyncGenerator<LiveEvent, void>, left: AbortController): AsyncGenerator<LiveEvent, void> {
	// At once: calls after this one miss no news.
	let first: ReturnType<typeof events.next> | undefined = events.next()
	// Its reader is told, whenever it comes.
	first.catch(() => {})
	const leave = () => {
		left.abort()
		return events.return()
	}
	return {
		next: () => {
			const next = first ?? events.next()
			first = undefined
			return next
		},
		return: leave,
		throw: leave,
		[Symbol.asyncIterator]() {
			return this
		},
		[Symbol.asyncDispose]: async () => void (await leave())
	}
}

function enqueue(subscriber: Subscriber, event: LiveEvent, capacity: number) {
	const topic = topicOf(event)
	subscriber.waiting.delete(topic)
	if (!subscriber.behind) subscriber.waiting.set(topic, event)
	if (subscriber.waiting.size > capacity) {
		subscriber.waiting.clear()
		subscriber.behind = true
	}
	subscriber.wake()
}

function* take(subscriber: Subscriber, greeting: () => readonly LiveEvent[]): Generator<LiveEvent> {
	if (subscriber.behind) {
		subscriber.behind = false
		yield* greeting()
	}
	for (const [topic, event] of subscriber.waiting) {
		subscriber.waiting.delete(topic)
		yield event
	}
}

async function something(subscriber: Subscriber) {
	if (subscriber.behind || subscriber.waiting.size > 0) return
	await new Promise<void>(resolve => {
		subscriber.wake = resolve
	})
}

/** Kind and ids: newer progress replaces older progress. */
function topicOf(event: LiveEvent) {
	if (event.kind === 'frame') return `frame ${event.frame.connection.id}`
	const {revision: _revision, seq: _seq, progress: _progress, ...topic}: Partial<Record<string, unknown>> = event
	return Object.values(topic).join(' ')
}
