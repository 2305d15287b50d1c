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
