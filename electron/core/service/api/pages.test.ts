import fc from 'fast-check'

import {CordonError, type ErrorCode} from '#contract/errors.ts'

import {walkPages} from './listing.ts'
import {pageSize, type Listing, type WalkPlan} from './pages.ts'

interface Row {
	id: string
}

interface Shelf {
	rows: Row[]
	/** The most that the service gives in one page. */
	cap?: number
	total?: 'told' | 'untold'
	/** Called before each page with the count of requests so far. */
	before?: (request: number, offset: number, shelf: Shelf) => void
}

interface Told {
	offset: number
	limit: number | undefined
}

function rowsOf(count: number, prefix = 'r'): Row[] {
	return Array.from({length: count}, (_, index) => ({id: `${prefix}${index}`}))
}

/** A service whose rows may move while they are read. */
function serviceOf(shelf: Shelf) {
	const asked: Told[] = []
	let open = 0
	let mostOpen = 0
	const read = async (offset: number, limit: number | undefined, signal?: AbortSignal) => {
		signal?.throwIfAborted()
		const request = asked.push({offset, limit})
		mostOpen = Math.max(mostOpen, (open += 1))
		await new Promise(setImmediate)
		open -= 1
		shelf.before?.(request, offset, shelf)
		const size = Math.min(limit ?? pageSize, shelf.cap ?? pageSize)
		const records = shelf.rows.slice(offset, offset + size)
		const total = shelf.total === 'untold' ? null : shelf.rows.length
		return {status: 200, requestId: `q${request}`, durationMs: 5, at: 1005, records, total, hasNext: offset + records.length < shelf.rows.length}
	}
	return {read, asked, mostOpen: () => mostOpen}
}

const whole = {want: 'all', offset: 0, key: (row: Row) => row.id} as const

function walk(shelf: Shelf, plan: Partial<WalkPlan<Row>> = {}) {
	const service = serviceOf(shelf)
	const result = walkPages(service.read, {...whole, ...plan})
	return {...service, result}
}

function ids(listing: Pick<Listing<Row>, 'records'>) {
	return listing.records.map(row => row.id)
}

function expectRows(listing: Pick<Listing<Row>, 'records'>, rows: readonly Row[]) {
	expect(ids(listing)).toEqual(rows.map(row => row.id))
}

/** Its rows change before that request. */
function moving(at: number, change: (rows: Row[]) => Row[], count = 1600): Shelf {
	return {
		rows: rowsOf(count),
		before: (request, _offset, self) => {
			if (request === at) self.rows = change(self.rows)
		}
	}
}

function failing(code: ErrorCode, ...offsets: number[]): NonNullable<Shelf['before']> {
	return (_request, offset) => {
		if (offsets.includes(offset)) throw new CordonError(code, `page ${offset}`)
	}
}

describe('a listing that holds still', () => {
	test('is read whole: page 1 first, the rest at most four at once, in the order of the service', async () => {
		const shelf = {rows: rowsOf(4711)}
		const {result, asked, mostOpen} = walk(shelf)
		const listing = await result
		expectRows(listing, shelf.rows)
		expect(listing).toMatchObject({
			total: 4711,
			complete: true,
			reread: false,
			missing: [],
			error: null,
			pagesRead: 10,
			status: 200,
			requestId: 'q1'
		})
		expect(asked.map(page => page.offset).toSorted((a, b) => a - b)).toEqual(Array.from({length: 10}, (_, index) => index * 500))
		expect(mostOpen()).toBe(4)
	})

	test("of the service's default is one page without a limit", async () => {
		const {result, asked} = walk({rows: rowsOf(1200)}, {want: 'default'})
		expect((await result).records).toHaveLength(500)
		expect((await result).complete).toBe(false)
		expect(asked).toEqual([{offset: 0, limit: undefined}])
	})

	test.each([1, 499, 500, 501, 999, 1000, 1001, 1499])('with a limit of %i gives exactly that many and asks for no more', async want => {
		const {result, asked} = walk({rows: rowsOf(1500)}, {want})
		expect((await result).records).toHaveLength(want)
		expect(asked.reduce((sum, page) => sum + (page.limit ?? 0), 0)).toBe(want)
		expect(Math.max(...asked.map(page => page.limit ?? 0))).toBeLessThanOrEqual(500)
	})

	test('arrives page by page, each record once', async () => {
		const seen: string[] = []
		const progress: unknown[] = []
		const shelf = {rows: rowsOf(1200)}
		await walk(shelf, {
			onPage: (records, {page, ...rest}) => {
				seen.push(...records.map(row => row.id))
				progress.push({...rest, size: page.length})
			}
		}).result
		expect(seen.toSorted()).toEqual(shelf.rows.map(row => row.id).toSorted())
		expect(progress[0]).toEqual({offset: 0, sentAt: 1000, pagesRead: 1, pages: 3, total: 1200, records: 500, size: 500})
		expect(progress.at(-1)).toMatchObject({pagesRead: 3, pages: 3, records: 1200})
	})

	test('that is not kept arrives page by page too, and is known to be complete', async () => {
		const told: Row[] = []
		const listing = await walk({rows: rowsOf(1200)}, {keep: false, onPage: fresh => void told.push(...fresh)}).result
		expect(listing).toMatchObject({records: [], total: 1200, pagesRead: 3, complete: true, reread: false})
		expect(told).toHaveLength(1200)
	})

	test('any total, page size, start and limit give the right slice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({min: 0, max: 3000}),
				fc.integer({min: 1, max: 700}),
				fc.integer({min: 0, max: 3200}),
				fc.oneof(fc.constant('all' as const), fc.integer({min: 1, max: 3200})),
				fc.constantFrom('told' as const, 'untold' as const),
				async (count, cap, offset, want, total) => {
					const rows = rowsOf(count)
					const listing = await walk({rows, cap: Math.max(cap, 20), total}, {offset, want}).result
					const end = want === 'all' ? undefined : offset + want
					expectRows(listing, rows.slice(offset, end))
					expect(listing.missing).toEqual([])
					expect(listing.reread).toBe(false)
					expect(listing.complete).toBe(want === 'all' || offset + want >= count)
				}
			),
			{numRuns: 150}
		)
	})
})

describe('a listing that moves while it is read', () => {
	test('is read once more when its total changed, and is complete when it holds still then', async () => {
		const shelf = moving(2, rows => [{id: 'new'}, ...rows])
		const {result, asked} = walk(shelf)
		const listing = await result
		expectRows(listing, shelf.rows)
		expect(listing).toMatchObject({total: 1601, complete: true, reread: true})
		expect(asked).toHaveLength(8)
	})

	test('forgets what was deleted before the second reading', async () => {
		const shelf = moving(3, rows => rows.slice(1))
		const listing = await walk(shelf).result
		expectRows(listing, shelf.rows)
		expect(listing.complete).toBe(true)
	})

	test('an insert and a delete with the same total are detected by the duplicate', async () => {
		const shelf = moving(2, rows => [{id: 'new'}, ...rows.slice(0, -1)])
		const listing = await walk(shelf).result
		expectRows(listing, shelf.rows)
		expect(listing).toMatchObject({complete: true, reread: true})
	})

	test('records that the service lists twice are no movement: one more reading, and it is complete', async () => {
		const rows = [...rowsOf(900), ...rowsOf(3)]
		const {result, asked} = walk({rows})
		expect(await result).toMatchObject({total: 903, complete: true, reread: true})
		expect((await result).records).toHaveLength(900)
		expect(asked).toHaveLength(4)
	})

	test('whatever moves: nothing that was there throughout is lost, nothing comes twice, and it ends', async () => {
		const event = fc.record({
			at: fc.integer({min: 1, max: 14}),
			kind: fc.constantFrom('insert', 'remove'),
			where: fc.nat(2500),
			count: fc.integer({min: 1, max: 40})
		})
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 0, max: 2600}), fc.array(event, {maxLength: 6}), async (count, events) => {
				const initial = rowsOf(count)
				let fresh = 0
				const removed = new Set<string>()
				const shelf: Shelf = {
					rows: initial,
					before: (request, _offset, self) => {
						for (const step of events.filter(each => each.at === request)) {
							const where = self.rows.length === 0 ? 0 : step.where % self.rows.length
							if (step.kind === 'insert') self.rows = [...rowsOf(step.count, `n${(fresh += 1)}-`), ...self.rows]
							else for (const gone of self.rows.slice(where, where + step.count)) removed.add(gone.id)
							self.rows = self.rows.filter(row => !removed.has(row.id))
						}
					}
				}
				const emitted: string[] = []
				const {result, asked} = walk(shelf, {onPage: records => emitted.push(...records.map(row => row.id))})
				const listing = await result
				const found = ids(listing)
				const known = new Set(found)
				expect(new Set(found).size).toBe(found.length)
				expect(new Set(emitted).size).toBe(emitted.length)
				expect(new Set(emitted)).toEqual(new Set([...emitted, ...found]))
				expect(asked.length).toBeLessThan(40)
				if (listing.complete) expect(found).toHaveLength(listing.total ?? -1)
				// Deletes can hide a record from one reading; without any, and in calm, everything must be there.
				if (removed.size === 0) expect(initial.filter(row => !known.has(row.id))).toEqual([])
			}),
			{numRuns: 120}
		)
	})

	test('a limit is met exactly although records come twice', async () => {
		const shelf = moving(2, rows => [...rowsOf(7, 'n'), ...rows], 3000)
		const emitted: Row[] = []
		const {result, asked} = walk(shelf, {want: 1200, onPage: records => emitted.push(...records)})
		const listing = await result
		expect([listing.records.length, new Set(ids(listing)).size, emitted.length]).toEqual([1200, 1200, 1200])
		expect(asked.at(-1)).toEqual({offset: 1200, limit: 7})
	})
})

describe('a service that breaks its promises', () => {
	test('a `next` beyond the last page of the total is followed', async () => {
		const rows = rowsOf(1700)
		const {read} = serviceOf({rows})
		const listing = await walkPages(async (offset, limit) => ({...(await read(offset, limit)), total: 1000}), whole)
		expectRows(listing, rows)
	})

	test('a `next` that leads to nothing is named as missing', async () => {
		const {read} = serviceOf({rows: rowsOf(700)})
		const listing = await walkPages(async (offset, limit) => ({...(await read(offset, limit)), hasNext: true}), whole)
		expect(listing).toMatchObject({complete: false, missing: [700], error: {code: 'incomplete'}})
		expect(listing.records).toHaveLength(700)
	})

	test('the same page again and again ends the walk', async () => {
		let asked = 0
		const page = async () => {
			asked += 1
			return {status: 200, requestId: undefined, durationMs: 0, at: 0, records: rowsOf(500), total: null, hasNext: true}
		}
		const listing = await walkPages(page, whole)
		expect([listing.records.length, listing.complete]).toEqual([500, false])
		expect(asked).toBeLessThan(10)
	})

	test('a short page in the middle is filled up', async () => {
		const rows = rowsOf(2000)
		const {read} = serviceOf({rows})
		const short = async (offset: number, limit: number | undefined) => {
			const page = await read(offset, offset === 500 ? 100 : limit)
			return {...page, hasNext: offset + page.records.length < 2000}
		}
		const listing = await walkPages(short, whole)
		expectRows(listing, rows)
		expect(listing.complete).toBe(true)
	})

	test('surplus records are cut', async () => {
		const {read} = serviceOf({rows: rowsOf(800)})
		expect((await walkPages(offset => read(offset, 500), {...whole, want: 10})).records).toHaveLength(10)
	})
})

describe('pages that fail', () => {
	test('what arrived is kept, and the missing pages are named', async () => {
		const listing = await walk({rows: rowsOf(3000), before: failing('reset', 1000, 2000)}).result
		expect(listing).toMatchObject({
			total: 3000,
			complete: false,
			reread: false,
			missing: [1000, 2000],
			error: {code: 'reset', message: 'page 1000'}
		})
		expect(listing.records).toHaveLength(2000)
	})

	test('reading only the missing ones completes the listing', async () => {
		const rows = rowsOf(3000)
		const {result, asked} = walk({rows}, {offsets: [1000, 2500]})
		const listing = await result
		expectRows(listing, [...rows.slice(1000, 1500), ...rows.slice(2500)])
		expect(listing).toMatchObject({complete: true, reread: false, missing: []})
		expect(asked).toEqual([
			{offset: 1000, limit: 500},
			{offset: 2500, limit: 500}
		])
	})

	test('when page 1 fails there is nothing to keep', async () => {
		await expect(walk({rows: rowsOf(3000), before: failing('reset', 0)}).result).rejects.toMatchObject({code: 'reset'})
	})

	test('a failure that affects every page skips the others', async () => {
		const {result, asked} = walk({rows: rowsOf(50_000), before: failing('unauthorized', 1000)})
		expect((await result).missing.length).toBeGreaterThan(80)
		expect(asked.length).toBeLessThan(12)
	})

	test('three failures in a row skip the others', async () => {
		const everything = Array.from({length: 100}, (_, index) => (index + 1) * 500)
		const {result, asked} = walk({rows: rowsOf(50_000), before: failing('response_timeout', ...everything)})
		expect((await result).missing).toHaveLength(99)
		expect(asked.length).toBeLessThan(12)
	})

	test('any pages that fail are exactly the ones that are missing', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({min: 501, max: 6000}),
				fc.uniqueArray(fc.integer({min: 1, max: 11}), {maxLength: 2}),
				async (count, broken) => {
					const offsets = broken
						.map(index => index * 500)
						.filter(offset => offset < count)
						.toSorted((a, b) => a - b)
					const rows = rowsOf(count)
					const shelf: Shelf = {rows, before: failing('truncated', ...offsets)}
					const listing = await walk(shelf).result
					expect(listing.missing).toEqual(offsets)
					const kept = rows.filter((_, index) => !offsets.includes(Math.floor(index / 500) * 500))
					expectRows(listing, kept)
					expect(listing.complete).toBe(offsets.length === 0)
				}
			),
			{numRuns: 80}
		)
	})

	test('when the second reading fails the first is kept', async () => {
		const shelf: Shelf = {
			rows: rowsOf(1600),
			before: (request, _offset, self) => {
				if (request === 2) self.rows = [{id: 'new'}, ...self.rows]
				if (request === 5) throw new CordonError('reset')
			}
		}
		const listing = await walk(shelf).result
		expect(listing).toMatchObject({complete: false, reread: false})
		expect(listing.records).toHaveLength(1600)
	})

	test('aborting rejects', async () => {
		const abort = new AbortController()
		const before = (request: number) => {
			if (request === 3) abort.abort()
		}
		await expect(walk({rows: rowsOf(9000), before}, {signal: abort.signal}).result).rejects.toThrow()
	})

	test('an error of the caller while it takes a page is passed on', async () => {
		const onPage = () => {
			throw new Error('disk full')
		}
		await expect(walk({rows: rowsOf(9000)}, {onPage}).result).rejects.toThrow('disk full')
	})
})
