import type {RequestBodySink} from '../exchange.ts'
import {BulkSink} from './h2-bulk.ts'

const kb = 1024

function scene() {
	vi.useFakeTimers()
	const got: (number | string)[] = []
	const sink: RequestBodySink = {data: chunk => got.push(chunk.length), end: () => got.push('end'), failed: () => got.push('failed')}
	const bulk = new BulkSink(sink)
	const give = (...sizes: number[]) => sizes.forEach(size => bulk.data(Buffer.alloc(size)))
	/** The sizes since the last call. */
	const taken = () => got.splice(0)
	give(256 * kb)
	return {bulk, give, taken}
}

afterEach(() => vi.useRealTimers())

test('frames of a large body wait until 512 KB are together, for two milliseconds at most', () => {
	const {give, taken} = scene()
	expect(taken()).toEqual([256 * kb])
	give(500 * kb)
	expect(taken()).toEqual([])
	give(12 * kb)
	expect(taken()).toEqual([500 * kb, 12 * kb])
	give(40 * kb)
	vi.advanceTimersByTime(2)
	expect(taken()).toEqual([40 * kb])
})

test('what comes slowly passes at once', () => {
	const {give, taken} = scene()
	give(10)
	vi.advanceTimersByTime(2)
	taken()
	give(20, 30)
	expect(taken()).toEqual([20, 30])
})

test('the end passes what waits, a failure and an abort do not', () => {
	const ended = scene()
	ended.give(5)
	ended.bulk.end([])
	expect(ended.taken()).toEqual([256 * kb, 5, 'end'])
	const failed = scene()
	failed.give(5)
	failed.bulk.failed(null)
	failed.give(6)
	failed.bulk.drop()
	vi.advanceTimersByTime(10)
	expect(failed.taken()).toEqual([256 * kb, 'failed'])
})
