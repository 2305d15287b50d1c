import {allEnded} from '#base/turns.ts'
import {CordonError, type ErrorCode} from '#contract/errors.ts'
import {oddOf} from '#model/odd.ts'
import {askedAt, type Listing, type ReadPage, type WalkPlan, pageSize, type Page} from './pages.ts'
import {abortError} from './failure.ts'

/**
 * Reads a listing: the first page tells the total, the rest follows by offset, at most four pages at once.
 * A page that cannot be read is named in `missing` and the others are kept; it rejects when nothing at all could be
 * read or when the signal says so. When records moved during a walk to the end, everything is read once more.
 */
export async function walkPages<T>(read: ReadPage<T>, plan: WalkPlan<T>): Promise<Listing<T>> {
	const emitted = new Set<string>()
	const first = await walkOnce(read, plan, emitted)
	if (plan.offsets !== undefined) return listingOf(first, first.missing.length === 0, false)
	if (first.steady || !first.ended || first.missing.length > 0) return listingOf(first, whole(first), false)
	const second = await readAgain(read, plan, emitted)
	if (second === undefined) return listingOf(first, false, false)
	// Twice the same number: what looked like movement are records that the service lists twice.
	const calm = whole(second) || (second.ended && second.missing.length === 0 && sameSize(first, second))
	return listingOf(calm ? second : united(first, second, plan), calm, true)
}

/** `undefined` when it fails: what the first reading brought is worth more than that. */
async function readAgain<T>(read: ReadPage<T>, plan: WalkPlan<T>, emitted: Set<string>) {
	try {
		return await walkOnce(read, plan, emitted)
	} catch (error) {
		if (plan.signal?.aborted === true || !(error instanceof CordonError)) throw error
		return undefined
	}
}

function whole(pass: Pass<unknown>) {
	return pass.ended && pass.steady && pass.missing.length === 0
}

function sameSize(first: Pass<unknown>, second: Pass<unknown>) {
	const still = !first.totalChanged && !second.totalChanged && first.total === second.total
	return still && first.size === second.size
}

/** Nobody knows which of the two readings is right, so nothing of either is lost. */
function united<T>(first: Pass<T>, second: Pass<T>, plan: WalkPlan<T>): Pass<T> {
	const known = new Set(second.records.map(plan.key))
	const rest = first.records.filter(record => !known.has(plan.key(record)))
	return {...second, records: [...second.records, ...rest].slice(0, wantOf(plan))}
}

function listingOf<T>(pass: Pass<T>, complete: boolean, reread: boolean): Listing<T> {
	const {ended: _ended, size: _size, steady: _steady, totalChanged: _changed, ...listing} = pass
	return {...listing, complete, reread}
}

const atOnce = 4
/** After so many failures in a row the rest is given up: the client has already repeated each of them. */
const failuresInARow = 3
/** Failures that no other page would escape. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
	'unauthorized',
	'forbidden',
	'rate_limited',
	'secret_unavailable',
	'tls',
	'dns',
	'proxy',
	'invalid_argument',
	'cancelled'
])

/** One reading of a listing from its first page to where it was wanted. */
interface Pass<T> extends Omit<Listing<T>, 'complete' | 'reread'> {
	/** The last page had no `next`. */
	ended: boolean
	/** How many distinct records were read, also when they were not kept. */
	size: number
	/** The total held still, and there are as many distinct records as it says. */
	steady: boolean
	totalChanged: boolean
}

interface Job {
	offset: number
	limit: number | undefined
}

interface Kept<T> extends Page<T> {
	/** How many records it had, also when they were not kept. */
	count: number
	odd: number
}

interface Walk<T> {
	read: ReadPage<T>
	plan: WalkPlan<T>
	/** Keys of what `onPage` was told, over both readings. */
	emitted: Set<string>
	/** Keys of this reading. */
	distinct: Set<string>
	pages: Map<number, Kept<T>>
	missing: Map<number, CordonError>
	total: number | null
	totalChanged: boolean
	failures: number
	givenUp: CordonError | undefined
}

/** How many records are wanted at most. */
function wantOf<T>(plan: WalkPlan<T>) {
	return typeof plan.want === 'number' ? plan.want : Number.POSITIVE_INFINITY
}

/** Rejects when nothing at all could be read, when `signal` is aborted, or with what `onPage` throws. */
async function walkOnce<T>(read: ReadPage<T>, plan: WalkPlan<T>, emitted: Set<string>) {
	const walk: Walk<T> = {
		read,
		plan,
		emitted,
		distinct: new Set(),
		pages: new Map(),
		missing: new Map(),
		total: null,
		totalChanged: false,
		failures: 0,
		givenUp: undefined
	}
	if (plan.offsets === undefined) await readFromStart(walk)
	else
		await readAll(
			walk,
			plan.offsets.map(offset => ({offset, limit: pageSize}))
		)
	return passOf(walk)
}

async function readFromStart<T>(walk: Walk<T>) {
	const {plan, read} = walk
	const job: Job = {offset: plan.offset, limit: plan.want === 'default' ? undefined : Math.min(wantOf(plan), pageSize)}
	const first = await read(job.offset, job.limit, plan.signal)
	take(walk, job, first)
	if (job.limit === undefined || !first.hasNext) return
	await readAll(walk, restOf(first, job.limit, plan))
	await readTail(walk)
}

/** The pages behind the first, as its total tells. A service that gives less than asked for sets the step. */
function restOf<T>(first: Page<T>, asked: number, plan: WalkPlan<T>) {
	const got = sizeOf(first)
	if (first.total === null || got === 0) return []
	const step = Math.min(got, asked)
	const last = plan.offset + wantOf(plan)
	const end = Math.min(first.total, last)
	const jobs: Job[] = []
	for (let offset = plan.offset + step; offset < end; offset += step) jobs.push({offset, limit: Math.min(step, last - offset)})
	return jobs
}

/** At most four at once. What fails is missing; a page that is shorter than asked for is filled up by a further one. */
async function readAll<T>(walk: Walk<T>, jobs: readonly Job[]) {
	const queue = [...jobs]
	const work = async () => {
		for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
			const rest = await attempt(walk, job)
			if (rest !== undefined) queue.unshift(rest)
		}
	}
	await allEnded(Array.from({length: Math.min(atOnce, jobs.length)}, work))
}

/** The last page must have no `next`; while it has one and records are wanted, the walk goes on behind it. */
async function readTail<T>(walk: Walk<T>) {
	const want = wantOf(walk.plan)
	for (let barren = 0; barren < failuresInARow && walk.distinct.size < want && lastPage(walk)?.hasNext === true;) {
		const before = walk.distinct.size
		const offset = endOf(walk)
		if (walk.missing.size > 0 || walk.pages.has(offset)) return
		await attempt(walk, {offset, limit: Math.min(pageSize, want - before)})
		barren = walk.distinct.size === before ? barren + 1 : 0
	}
}

/** Resolves with what is still to be read when the page was shorter than asked for. */
async function attempt<T>(walk: Walk<T>, job: Job) {
	const {plan, missing} = walk
	if (plan.signal?.aborted === true) throw abortError(plan.signal)
	if (walk.givenUp !== undefined) {
		missing.set(job.offset, walk.givenUp)
		return undefined
	}
	try {
		const page = await walk.read(job.offset, job.limit, plan.signal)
		if (page.hasNext && sizeOf(page) === 0) throw new CordonError('incomplete', 'The service announced further records and gave none.')
		walk.failures = 0
		take(walk, job, page)
		return gapOf(job, page)
	} catch (error) {
		fail(walk, job, error)
		return undefined
	}
}

function gapOf(job: Job, page: Page<unknown>): Job | undefined {
	const got = sizeOf(page)
	if (!page.hasNext || job.limit === undefined || got >= job.limit) return undefined
	return {offset: job.offset + got, limit: job.limit - got}
}

function fail<T>(walk: Walk<T>, job: Job, error: unknown) {
	if (!(error instanceof CordonError) || walk.plan.signal?.aborted === true) throw error
	walk.missing.set(job.offset, error)
	walk.failures += 1
	if (hopeless.has(error.code) || walk.failures >= failuresInARow) walk.givenUp = error
}

function take<T>(walk: Walk<T>, job: Job, given: Page<T>) {
	const {plan} = walk
	const page = typeof plan.want === 'number' ? {...given, records: given.records.slice(0, job.limit)} : given
	if (walk.total !== null && page.total !== null && page.total !== walk.total) walk.totalChanged = true
	walk.total = page.total ?? walk.total
	const counts = {count: sizeOf(page), odd: page.records.filter(record => oddOf(record) !== undefined).length}
	walk.pages.set(job.offset, {...page, ...counts, records: plan.keep === false ? [] : page.records})
	for (const record of page.records) walk.distinct.add(plan.key(record))
	emit(walk, job, page)
}

function emit<T>(walk: Walk<T>, job: Job, page: Page<T>) {
	const {plan, emitted} = walk
	const room = wantOf(plan) - emitted.size
	const fresh = distinctOf(page.records, plan.key)
		.filter(record => !emitted.has(plan.key(record)))
		.slice(0, room)
	for (const record of fresh) emitted.add(plan.key(record))
	plan.onPage?.(fresh, {
		offset: job.offset,
		page: page.records,
		sentAt: askedAt(page),
		pagesRead: walk.pages.size,
		pages: pagesOf(walk),
		total: walk.total,
		records: walk.distinct.size
	})
}

function pagesOf<T>({plan, total}: Walk<T>) {
	if (plan.offsets !== undefined) return plan.offsets.length
	if (plan.want === 'default') return 1
	if (total === null) return null
	return Math.max(1, Math.ceil(Math.min(total - plan.offset, wantOf(plan)) / pageSize))
}

function passOf<T>(walk: Walk<T>): Pass<T> {
	const {plan, total, totalChanged, pages} = walk
	const missing = [...walk.missing.keys()].toSorted((one, other) => one - other)
	const error = walk.missing.get(missing[0] ?? -1) ?? null
	const [first] = pages.values()
	if (first === undefined) throw error ?? new CordonError('incomplete')
	const records = distinctOf(inOrder(walk), plan.key).slice(0, wantOf(plan))
	const {status, requestId, durationMs, at} = first
	const size = Math.min(walk.distinct.size, wantOf(plan))
	const odd = sumOf(walk, page => page.odd)
	const unusable = sumOf(walk, page => page.unusable ?? 0)
	const steady = !totalChanged && (total === null || size + unusable >= total - plan.offset)
	const ended = lastPage(walk)?.hasNext === false
	return {
		status,
		requestId,
		durationMs,
		at,
		records,
		odd,
		unusable,
		size,
		total,
		totalChanged,
		missing,
		error,
		ended,
		steady,
		pagesRead: pages.size
	}
}

function sizeOf({records, unusable = 0}: Page<unknown>) {
	return records.length + unusable
}

function sumOf<T>({pages}: Walk<T>, count: (page: Kept<T>) => number) {
	return pages.values().reduce((sum, page) => sum + count(page), 0)
}

function inOrder<T>({pages}: Walk<T>) {
	return [...pages].toSorted(([one], [other]) => one - other).flatMap(([, page]) => page.records)
}

/** Keeps the first of equal ones. */
function distinctOf<T>(records: readonly T[], key: (record: T) => string) {
	const known = new Set<string>()
	return records.filter(record => {
		const name = key(record)
		return !known.has(name) && known.add(name)
	})
}

function lastPage<T>({pages}: Walk<T>) {
	return pages.get(pages.keys().reduce((last, offset) => Math.max(last, offset), -1))
}

function endOf<T>({pages}: Walk<T>) {
	return pages.entries().reduce((end, [offset, page]) => Math.max(end, offset + page.count), 0)
}
