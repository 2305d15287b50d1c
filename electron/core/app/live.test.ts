import type {LiveEvent} from '#contract/live.ts'

import {createLiveStream} from './live.ts'

const hello: LiveEvent = {kind: 'hello', instance: 'one'}

function stream(capacity?: number) {
	return createLiveStream({greeting: () => [hello], ...(capacity !== undefined && {capacity})})
}

function row(guid: string): LiveEvent {
	return {kind: 'computer', connection: 'c', guid}
}

async function take(events: AsyncIterator<LiveEvent, void>, count: number) {
	const taken: LiveEvent[] = []
	while (taken.length < count) {
		const next = await events.next()
		if (next.done === true) break
		taken.push(next.value)
	}
	return taken
}

describe('the live stream', () => {
	test('greets, then sends every subscriber the events in order', async () => {
		const live = stream()
		const readers = [live.subscribe(), live.subscribe()]
		expect(await Promise.all(readers.map(reader => take(reader, 1)))).toEqual([[hello], [hello]])
		live.publish(row('a'))
		live.publish({kind: 'log', seq: 1})
		for (const reader of readers) expect(await take(reader, 2)).toEqual([row('a'), {kind: 'log', seq: 1}])
		live.stop()
	})

	test('hears what happens before its first event is read', async () => {
		const live = stream()
		const reader = live.subscribe()
		live.publish(row('a'))
		expect(await take(reader, 2)).toEqual([hello, row('a')])
		live.stop()
		expect(live.subscribers).toBe(0)
	})

	test('keeps only the newest of several events about the same thing', async () => {
		const live = stream()
		const reader = live.subscribe()
		await take(reader, 1)
		for (let seq = 1; seq <= 100; seq += 1) live.publish({kind: 'log', seq})
		live.publish({kind: 'settings'})
		expect(await take(reader, 2)).toEqual([{kind: 'log', seq: 100}, {kind: 'settings'}])
		live.stop()
	})

	test('greets a reader that fell behind again, and continues from there', async () => {
		const live = stream(10)
		const reader = live.subscribe()
		await take(reader, 1)
		for (let index = 0; index < 50; index += 1) live.publish(row(`g${index}`))
		expect(await take(reader, 1)).toEqual([hello])
		live.publish(row('after'))
		expect(await take(reader, 1)).toEqual([row('after')])
		live.stop()
	})

	test.each(['the signal', 'the reader', 'the stream'])('forgets a subscriber that is ended by %s while it waits', async by => {
		const live = stream()
		const stop = new AbortController()
		const reader = live.subscribe(stop.signal)
		await take(reader, 1)
		const waiting = reader.next()
		if (by === 'the signal') stop.abort()
		if (by === 'the reader') await reader.return(undefined)
		if (by === 'the stream') live.stop()
		expect(await waiting).toEqual({done: true, value: undefined})
		expect(live.subscribers).toBe(0)
	})
})
