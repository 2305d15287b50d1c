import {LastGood} from './last-good.ts'
import {answer, request} from './testing/fakes.ts'

describe('the memory of last good answers', () => {
	const asked = (target: string) => ({head: request(), origin: 'edl', target, prefix: '', identity: []})

	function memory(): {lastGood: LastGood; keep(target: string, size: number): void} {
		const lastGood = new LastGood(() => 0, {entryBytes: 100, totalBytes: 250})
		const keep = (target: string, size: number) => {
			const recording = lastGood.record(asked(target), answer())
			recording?.data(Buffer.alloc(size))
			recording?.done()
		}
		return {lastGood, keep}
	}

	test('is limited in size; the most recently used stays', () => {
		const {lastGood, keep} = memory()
		keep('/a', 100)
		keep('/b', 100)
		expect(lastGood.find(asked('/a'), 10)).not.toBeNull()
		keep('/c', 100)
		expect(lastGood.bytes).toBe(200)
		expect(lastGood.find(asked('/b'), 10)).toBeNull()
		expect(lastGood.find(asked('/a'), 10)).not.toBeNull()
		keep('/a', 101)
		expect(lastGood.find(asked('/a'), 10)?.size).toBe(100)
	})

	test('records one of equal answers at a time, until it ends or is dropped', () => {
		const {lastGood, keep} = memory()
		const first = lastGood.record(asked('/a'), answer())
		expect(lastGood.record(asked('/a'), answer())).toBeNull()
		first?.drop()
		first?.drop()
		keep('/a', 10)
		expect(lastGood.find(asked('/a'), 10)?.size).toBe(10)
		expect(lastGood.record(asked('/a'), answer())).not.toBeNull()
	})

	test('is of the instances that are still there, and renewed by a confirmation of its tag', () => {
		let now = 0
		const lastGood = new LastGood(() => now)
		const keep = (of: ReturnType<typeof asked>) => lastGood.record(of, answer(['ETag', '"1"']))?.done()
		const [mine, other] = [asked('/a'), {...asked('/a'), origin: 'other'}]
		keep(mine)
		keep(other)
		lastGood.retain(new Set(['edl']))
		expect([mine, other].map(one => lastGood.find(one, 10) !== null)).toEqual([true, false])
		now = 10_000
		expect(lastGood.find(mine, 10)).not.toBeNull()
		for (const fields of [['ETag', '"2"'], []]) lastGood.confirm(mine, answer(fields))
		now = 10_001
		expect(lastGood.find(mine, 10)).toBeNull()
		lastGood.confirm(mine, answer(['ETag', '"1"', 'Age', '3']))
		expect(lastGood.find(mine, 10)?.age).toBe(3)
	})

	test.each<[string, ReturnType<typeof answer>, string[]?]>([
		['of another status', answer([], {status: 203})],
		['of a length that nothing shows', answer([], {framing: {kind: 'close'}})],
		['for one client', answer(['Set-Cookie', 'a=b'])],
		['without an end', answer(['Content-Type', 'text/event-stream'])],
		['longer than an entry', answer([], {framing: {kind: 'length', length: 101}})],
		['to a request that says so', answer(), ['Cache-Control', 'No-Store']]
	])('keeps no answer %s', (_what, head, fields = []) => {
		const lastGood = new LastGood(() => 0, {entryBytes: 100, totalBytes: 250})
		const of = (...more: string[]) => ({...asked('/a'), head: request(more)})
		expect(lastGood.record(of(...fields), head)).toBeNull()
		expect(lastGood.record({...asked('/a'), head: request([], {method: 'HEAD'})}, answer())).toBeNull()
		expect(lastGood.record(of(), answer([], {framing: {kind: 'length', length: 100}}))).not.toBeNull()
	})

	test('recordings together are bounded too', () => {
		const {lastGood, keep} = memory()
		const many = ['/a', '/b', '/c'].map(target => lastGood.record(asked(target), answer()))
		for (const recording of many) recording?.data(Buffer.alloc(90))
		for (const recording of many) recording?.done()
		expect(lastGood.bytes).toBe(180)
		expect(lastGood.find(asked('/c'), 10)).toBeNull()
		keep('/c', 90)
		expect(lastGood.find(asked('/c'), 10)?.size).toBe(90)
	})
})
