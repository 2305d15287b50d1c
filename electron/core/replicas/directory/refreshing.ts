import type {Clock} from '#base/ports.ts'
import {allEnded} from '#base/turns.ts'
import {pageSize} from '#core/service/api/pages.ts'
import type {DirectoryState} from '#contract/directory.ts'
import {CordonError, type ErrorCode, type ErrorReport, reportError} from '#contract/errors.ts'
import {smallest} from '#shared/extremes.ts'
import {makeShared, makeSharedByKey} from '../kit/shared-work.ts'
import type {Kind, StoredObject} from './objects.ts'
import {iso} from './rows.ts'
import {type DirectorySource, families, type Family} from './source.ts'
import type {FamilyState, Store} from './store.ts'

/** An interrupted reading of all details resumes within this time, in milliseconds. */
const resumeMs = 3_600_000

export type Refreshing = ReturnType<typeof makeRefreshing>

type Which = 'all' | 'missing' | 'lacking'

interface Progress {
	read: number
	of: number
}

/** One reading of each kind runs at a time; further callers join it. */
export function makeRefreshing(deps: ReadingDependencies, onProgress: () => void) {
	const {store} = deps
	const listings = makeShared<void>()
	const details = makeShared<void>()
	const single = makeSharedByKey<void>()
	const itemsRead = new Map<string, {read: number; of: number | null}>()
	let progress: Progress | undefined
	let hasFailed = false

	const readAll = async (signal: AbortSignal) => {
		hasFailed = false
		try {
			await readListings(deps, () => (hasFailed = true), signal)
		} finally {
			onProgress()
		}
	}
	/** A caller that retries visible failures during the reading needs them retried, not just the reading's end. */
	const readAsked = async (signal: AbortSignal | undefined) => {
		const again = listings.running() && hasFailed
		await listings.join(readAll, signal)
		if (again) await listings.join(readAll, signal)
	}
	const readPass = async (which: Which, signal: AbortSignal) => {
		const objects = chosen[which](deps)
		try {
			const passError = await readRounds(deps, objects, told, signal)
			const done = which !== 'missing' && passError === null
			store.writeReadState({passError, ...(done ? {passAt: null} : {})})
		} finally {
			progress = undefined
			onProgress()
		}
	}
	const told = (read: number, of: number) => {
		progress = {read, of}
		onProgress()
	}
	const readList = async (guid: string, signal: AbortSignal) => {
		try {
			await readItems(deps, guid, (read, of) => itemsRead.set(guid, {read, of}), signal)
		} finally {
			itemsRead.delete(guid)
			onProgress()
		}
	}
	return {
		state: () => stateOf(deps, progress, listings.running() || details.running()),
		/** Progress of the running reading of a list's items. */
		itemsProgress: (guid: string) => itemsRead.get(guid),
		listings: readAsked,
		/** Reads details of everything, only missing or stale ones, or only failed ones. */
		details: (which: Which, signal: AbortSignal | undefined) => details.join(inner => readPass(which, inner), signal),
		one: async (kind: Kind, guid: string, signal: AbortSignal | undefined) =>
			single.of(`${kind} ${guid}`).join(inner => readDetails(deps, {kind, guid}, inner), signal),
		items: async (guid: string, signal: AbortSignal | undefined) => single.of(`items ${guid}`).join(inner => readList(guid, inner), signal),
		/** Objects with missing or stale details, except failed ones. */
		missing: () => missingOf(store.objects.all()),
		running: () => listings.running() || details.running(),
		stop: async () => void (await Promise.all([listings.stop(), details.stop(), single.stop()]))
	}
}

/** Details of policies name lists that no listing has; those follow at the end. Resolves with why it stopped early. */
async function readRounds(
	deps: ReadingDependencies,
	objects: readonly StoredObject[],
	told: (read: number, of: number) => void,
	signal: AbortSignal
) {
	const error = await readAllDetails(deps, objects, told, signal)
	if (error !== null) return error
	const tried = new Set(objects.map(({kind, guid}) => `${kind} ${guid}`))
	const named = missingOf(deps.store.objects.all()).filter(({kind, guid}) => !tried.has(`${kind} ${guid}`))
	const before = objects.length
	return readAllDetails(deps, named, (read, of) => told(before + read, before + of), signal)
}

const chosen: Readonly<Record<Which, (deps: ReadingDependencies) => readonly StoredObject[]>> = {
	all: deps => wholePass(deps),
	missing: ({store}) => missingOf(store.objects.all()),
	lacking: deps => lackingOf(deps)
}

/** Everything, unread objects first, without those that the interrupted reading has read. */
function wholePass({store, clock}: ReadingDependencies) {
	const now = clock.now()
	const resumed = resumableFrom(store, now)
	if (resumed === null) store.writeReadState({passAt: now})
	return store.objects
		.all()
		.filter(object => object.vanishedAt === null && !(resumed !== null && isSince(object, resumed)))
		.toSorted((a, b) => (a.detailAt ?? 0) - (b.detailAt ?? 0))
}

/** When the interrupted, resumable reading of everything began; `null` for none. */
function resumableFrom(store: ReadingDependencies['store'], now: number) {
	const {passAt} = store.readState()
	return passAt !== null && Math.abs(now - passAt) < resumeMs ? passAt : null
}

/** Failed objects, and those that a stopped reading left unread. */
function lackingOf({store, clock}: Pick<ReadingDependencies, 'store' | 'clock'>) {
	const {passError} = store.readState()
	const from = passError === null ? null : resumableFrom(store, clock.now())
	const isLeft = (object: StoredObject) => passError !== null && (from === null ? object.detail === null || object.stale : !isSince(object, from))
	return store.objects.all().filter(object => object.vanishedAt === null && (object.problem !== null || isLeft(object)))
}

function isSince({detailAt, stale, problem}: StoredObject, from: number) {
	return detailAt !== null && detailAt >= from && !stale && problem === null
}

function missingOf(objects: readonly StoredObject[]) {
	return objects.filter(({detail, stale, vanishedAt, problem}) => vanishedAt === null && problem === null && (detail === null || stale))
}

function stateOf({store, clock}: ReadingDependencies, progress: Progress | undefined, running: boolean): DirectoryState {
	const {families: states, passError} = store.readState()
	const {details, groups, policies, lists} = store.snapshot()
	const all = families.map(family => states[family])
	const times = all.flatMap(({at}) => at ?? [])
	const errors = all.flatMap(({error}) => error ?? [])
	const problems = [...groups.values(), ...policies.values(), ...lists.values()].flatMap(object =>
		object.vanishedAt === null && object.problem !== null ? [object.problem] : []
	)
	const error = errors[0] ?? passError ?? problems[0] ?? null
	const read = times.length > 0 || details.of > 0
	const nothing = all.every(family => family.nothing)
	return {
		phase: running ? 'loading' : nothing ? 'failed' : error !== null ? 'partial' : read ? 'complete' : 'empty',
		readAt: times.length === 0 ? null : iso(smallest(times)),
		details: progress ?? details,
		error,
		refreshCalls: times.length === 0 ? null : listingCalls(groups.size, policies.size, lists),
		detailCalls: times.length === 0 ? null : details.of,
		lackingCalls: error === null ? 0 : lackingOf({store, clock}).length,
		revision: store.revision()
	}
}

function listingCalls(groups: number, policies: number, lists: ReadonlyMap<string, {type: string}>) {
	const types = [...lists.values()].map(({type}) => type)
	const count = (wanted: string) => types.filter(type => type === wanted).length
	const sizes = [groups, policies, count('application_blocking'), count('simple_custom_detections')]
	return sizes.reduce((sum, size) => sum + Math.max(1, Math.ceil(size / pageSize)), 0)
}

interface ReadingDependencies {
	store: Store
	source: DirectorySource
	clock: Clock
}

/** Reads the four listings one after the other and keeps what arrives at once. Calls `onFailed` at the first failure. */
async function readListings(deps: ReadingDependencies, onFailed: () => void, signal: AbortSignal) {
	for (const family of families) if (!(await readListing(deps, family, signal))) onFailed()
}

/** Resolves with whether all pages were read. */
async function readListing({store, source, clock}: ReadingDependencies, family: Family, signal: AbortSignal) {
	const pass = store.nextPass()
	let arrived = 0
	const outcome = await source.listing(
		family,
		page => {
			arrived += page.records.length
			if (!signal.aborted) store.putBriefs(family, page, pass)
		},
		signal
	)
	signal.throwIfAborted()
	const now = clock.now()
	const before = store.readState().families[family]
	const state: FamilyState =
		outcome.error === null ? {at: now, error: null, nothing: false} : {at: before.at, error: outcome.error, nothing: arrived === 0}
	store.endListing(family, pass, state, now)
	return outcome.error === null
}

/** Reads the details of one object. Marks a deleted one as gone; throws `CordonError` for other failures. */
async function readDetails({store, source, clock}: ReadingDependencies, {kind, guid}: Pick<StoredObject, 'kind' | 'guid'>, signal: AbortSignal) {
	try {
		if (kind === 'group') {
			const {data, at} = await source.group(guid, signal)
			// An answer without policies is complete, too.
			store.putGroup({...data, policies: data.policies ?? []}, at)
		} else if (kind === 'policy') {
			const {data, at} = await source.policy(guid, signal)
			store.putPolicy({...data, file_lists: data.file_lists ?? []}, at)
		} else {
			const {data, at} = await source.list(guid, signal)
			const {total, ...head} = data
			store.putListHead(guid, head, total, at)
		}
	} catch (error) {
		if (!(error instanceof CordonError) || signal.aborted) throw error
		if (error.code === 'not_found') return store.vanish(kind, guid, clock.now())
		store.putProblem(kind, guid, reportError(error))
		throw error
	}
}

const atOnce = 4
/** After this many failures in a row the reading stops: the client has already repeated each request. */
const failuresInARow = 3
/** Failures that would hit every other object too. A key may be forbidden to read one policy but not the next. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
	'unauthorized',
	'rate_limited',
	'secret_unavailable',
	'tls',
	'dns',
	'proxy',
	'refused',
	'cancelled'
])

/** Reads the details of these objects, four at once. Resolves with why it stopped early, or `null`. */
async function readAllDetails(
	deps: ReadingDependencies,
	objects: readonly StoredObject[],
	onProgress: (read: number, of: number) => void,
	signal: AbortSignal
) {
	const queue = [...objects]
	const end: {because: ErrorReport | null} = {because: null}
	let [read, failures] = [0, 0]
	const attempt = async (object: StoredObject) => {
		try {
			await readDetails(deps, object, signal)
			failures = 0
		} catch (error) {
			if (!(error instanceof CordonError) || signal.aborted) throw error
			failures += 1
			if (hopeless.has(error.code) || failures >= failuresInARow) end.because ??= reportError(error)
		}
		read += 1
		onProgress(read, objects.length)
	}
	const work = async () => {
		for (let next = queue.shift(); next !== undefined && end.because === null; next = queue.shift()) {
			signal.throwIfAborted()
			await attempt(next)
		}
	}
	onProgress(0, objects.length)
	await allEnded(Array.from({length: atOnce}, work))
	return end.because
}

/** Reads all items of a list, page by page, and keeps what it read. Rejects only when stopped. */
async function readItems(
	{store, source, clock}: ReadingDependencies,
	guid: string,
	onProgress: (read: number, of: number | null) => void,
	signal: AbortSignal
) {
	const pass = store.beginItems(guid)
	let read = 0
	onProgress(0, null)
	const outcome = await source.items(
		guid,
		page => {
			if (signal.aborted) return
			store.putItems(guid, page, pass)
			read += page.records.length
			onProgress(Math.min(read, page.total ?? read), page.total)
		},
		signal
	)
	signal.throwIfAborted()
	const now = clock.now()
	if (outcome.gone) return store.vanish('list', guid, now)
	if (outcome.head !== null) store.putListHead(guid, outcome.head, outcome.total, now)
	store.endItems(guid, pass, now, {whole: outcome.complete, problem: outcome.error})
}
