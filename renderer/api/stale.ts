import type {QueryClient} from '@tanstack/react-query'
import type {Queries} from './wire.ts'

/** While a listing loads, rows change many times a second. Milliseconds between refreshes. */
const atMostEvery = 400
/** Facets and overviews count over everything, so rows come first. */
const facetsAtMostEvery = 5000
const overviewAtMostEvery = 1500

const marksAtMostEvery = 2000

/** A draft checks every row again, and a commit changes the list with each call. */
const draftsAtMostEvery = 2000

const searchAtMostEvery = 2000

function createThrottle() {
	const keys = new Map<string, {ready: Promise<unknown>; isWaiting: boolean}>()
	let isOver = false
	return {
		/** Runs soon, at most once in `every` milliseconds; what resolves late rests nine times as long. */
		throttled(key: string, run: () => unknown, every = atMostEvery) {
			const entry = keys.get(key) ?? {ready: Promise.resolve(), isWaiting: false}
			keys.set(key, entry)
			if (entry.isWaiting) return
			entry.isWaiting = true
			entry.ready = entry.ready.then(async () => {
				await pause(0)
				entry.isWaiting = false
				if (isOver) return
				const begun = Date.now()
				// A refresh that failed is told where it is shown; the next one comes all the same.
				await Promise.try(run).catch(() => {})
				// The computer may have slept.
				await pause(Math.max(every, Math.min(60_000, 9 * (Date.now() - begun))))
			})
		},
		stop: () => void (isOver = true)
	}
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

type Throttled = ReturnType<typeof createThrottle>['throttled']

interface Query {
	key(options?: {input: {connection: string}}): readonly unknown[]
}
/** Of this connection; `null`: of all. */
type Invalidate = (connection: string | null, ...queries: readonly Query[]) => unknown

/** Answers that many kinds of news affect, each refreshed at its own pace. */
function sharedAnswers(queries: Queries, throttled: Throttled, invalidate: Invalidate) {
	const drafts = () => throttled('drafts', () => invalidate(null, queries.editor.state, queries.editor.rows), draftsAtMostEvery)
	const paced =
		(every: number, name: string, ...all: readonly Query[]) =>
		(connection: string | null) =>
			throttled(`${name} ${connection}`, () => void invalidate(connection, ...all), every)
	const {groups, policies, fileLists} = queries.directory
	return {
		drafts,
		overview: paced(overviewAtMostEvery, 'overview', queries.overview, queries.overviewDuring),
		facets: paced(facetsAtMostEvery, 'facets', queries.computers.facets),
		/** An entry of the log may have changed guard rules: then marks of all connections are out of date. */
		marks: paced(marksAtMostEvery, 'marks', queries.computers.marks),
		directory: (connection: string) =>
			throttled(`directory ${connection}`, () => {
				// Without the XML of a policy: each refresh would call the service.
				invalidate(connection, groups, policies.list, policies.detail, fileLists)
				drafts()
			}),
		search: paced(searchAtMostEvery, 'search', queries.search),
		/** Not the previews: each asks the service. */
		undo: paced(marksAtMostEvery, 'undo', queries.undo.list)
	}
}

export type Stale = ReturnType<typeof createStale>

export function createStale(cache: QueryClient, queries: Queries) {
	const {throttled, stop} = createThrottle()
	const invalidate: Invalidate = (connection, ...all) =>
		Promise.all(all.map(query => cache.invalidateQueries({queryKey: connection === null ? query.key() : query.key({input: {connection}})})))
	const {overview, facets, marks, drafts, directory, search, undo} = sharedAnswers(queries, throttled, invalidate)
	return {
		everything: () => void cache.invalidateQueries(),
		computers: (connection: string) =>
			throttled(`computers ${connection}`, () => {
				search(connection)
				const {query, position, detail} = queries.computers
				invalidate(connection, query, position, detail, queries.groups.list, queries.leases.list)
				facets(connection)
				marks(connection)
				// Groups, policies and lists count computers.
				directory(connection)
			}),
		computer: (connection: string, guid: string) => {
			for (const query of [queries.computers.detail, queries.isolation.preflight])
				void cache.invalidateQueries({queryKey: query.key({input: {connection, guid}})})
		},
		overview,
		directory,
		events: (connection: string) =>
			throttled(`events ${connection}`, () => {
				search(connection)
				invalidate(connection, queries.events, queries.detections)
				// Stored events raise warnings about hashes.
				drafts()
			}),
		log: () =>
			throttled('log', () => {
				search(null)
				marks(null)
				undo(null)
				// A computer's receipt is put together from the log.
				invalidate(null, queries.log, queries.detections, queries.computers.detail)
			}),
		connections: () => invalidate(null, queries.connections.list),
		settings: () => invalidate(null, queries.settings),
		notices: () => invalidate(null, queries.local.notices),
		jobs: () =>
			throttled('jobs', () => {
				const {list, get, receipts} = queries.jobs
				for (const query of [list, get, receipts]) void cache.invalidateQueries({queryKey: query.key()})
				// A committed change leaves its draft.
				drafts()
				undo(null)
			}),
		approvals: () => throttled('approvals', () => void invalidate(null, queries.approvals)),
		instances: () => throttled('instances', () => void invalidate(null, queries.instances)),
		streams: () => throttled('streams', () => void invalidate(null, queries.streams.own, queries.targets.list)),
		stop
	}
}
