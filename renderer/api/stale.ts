import type {QueryClient} from '@tanstack/react-query'
import type {Queries} from './wire.ts'

export interface Stale {
	everything(): void
	computers(connection: string): void
	computer(connection: string, guid: string): void
	/** `null`: the overviews of all connections. */
	overview(connection: string | null): void
	directory(connection: string): void
	events(connection: string): void
	log(): void
	connections(): void
	settings(): void
	notices(): void
	jobs(): void
	instances(): void
	streams(): void
	approvals(): void
	stop(): void
}

/** While a listing loads, rows change many times a second. Milliseconds between refreshes. */
const atMostEvery = 400
/** Facets and overviews count over everything, so rows come first. */
const facetsAtMostEvery = 5000
const overviewAtMostEvery = 1500

const marksAtMostEvery = 2000

/** A draft checks every row again, and a commit changes the list with each call. */
const draftsAtMostEvery = 2000

const searchAtMostEvery = 2000

interface Throttle {
	/** Runs soon, at most once in `every` milliseconds. */
	throttled(key: string, run: () => void, every?: number): void
	stop(): void
}

function createThrottle(): Throttle {
	const timers = new Map<string, {last: number; timer: ReturnType<typeof setTimeout> | undefined}>()
	return {
		throttled(key, run, every = atMostEvery) {
			const entry = timers.get(key) ?? {last: 0, timer: undefined}
			timers.set(key, entry)
			if (entry.timer !== undefined) return
			const wait = Math.max(0, entry.last + every - Date.now())
			entry.timer = setTimeout(() => {
				entry.timer = undefined
				entry.last = Date.now()
				run()
			}, wait)
		},
		stop() {
			for (const {timer} of timers.values()) clearTimeout(timer)
			timers.clear()
		},
	}
}

type Throttled = ReturnType<typeof createThrottle>['throttled']
type Invalidate = (queryKey: readonly unknown[]) => void

/** Answers that many kinds of news affect, each refreshed at its own pace. */
function sharedAnswers(queries: Queries, throttled: Throttled, invalidate: Invalidate) {
	const drafts = () =>
		throttled(
			'drafts',
			() => {
				invalidate(queries.editor.state.key())
				invalidate(queries.editor.rows.key())
			},
			draftsAtMostEvery,
		)
	return {
		drafts,
		overview: (connection: string | null) =>
			throttled(
				`overview ${connection ?? ''}`,
				() => {
					for (const query of [queries.overview, queries.overviewDuring])
						invalidate(connection === null ? query.key() : query.key({input: {connection}}))
				},
				overviewAtMostEvery,
			),
		facets: (connection: string) =>
			throttled(`facets ${connection}`, () => invalidate(queries.computers.facets.key({input: {connection}})), facetsAtMostEvery),
		/** An entry of the log may have changed guard rules: then marks of all connections are out of date. */
		marks: (connection: string | null) =>
			throttled(
				`marks ${connection ?? ''}`,
				() => {
					const {marks} = queries.computers
					invalidate(connection === null ? marks.key() : marks.key({input: {connection}}))
				},
				marksAtMostEvery,
			),
		directory: (connection: string) =>
			throttled(`directory ${connection}`, () => {
				const {groups, policies, fileLists} = queries.directory
				// Without the XML of a policy: each refresh would call the service.
				for (const query of [
					groups.tree,
					groups.preview,
					groups.ways,
					policies.list,
					policies.detail,
					fileLists.list,
					fileLists.items,
					fileLists.coverage,
					fileLists.ages,
					fileLists.holding,
					fileLists.hash,
				])
					invalidate(query.key({input: {connection}}))
				drafts()
			}),
		search: (connection: string | null) =>
			throttled(
				`search ${connection ?? ''}`,
				() => invalidate(connection === null ? queries.search.key() : queries.search.key({input: {connection}})),
				searchAtMostEvery,
			),
	}
}

export function createStale(cache: QueryClient, queries: Queries): Stale {
	const {throttled, stop} = createThrottle()
	const invalidate: Invalidate = queryKey => void cache.invalidateQueries({queryKey})
	const {overview, facets, marks, drafts, directory, search} = sharedAnswers(queries, throttled, invalidate)
	return {
		everything: () => void cache.invalidateQueries(),
		computers: connection =>
			throttled(`computers ${connection}`, () => {
				search(connection)
				invalidate(queries.computers.query.key({input: {connection}}))
				invalidate(queries.computers.position.key({input: {connection}}))
				facets(connection)
				marks(connection)
				invalidate(queries.groups.list.key({input: {connection}}))
				invalidate(queries.computers.detail.key({input: {connection}}))
				invalidate(queries.leases.list.key({input: {connection}}))
				// Groups, policies and lists count computers.
				directory(connection)
			}),
		computer: (connection, guid) => {
			invalidate(queries.computers.detail.key({input: {connection, guid}}))
			invalidate(queries.isolation.preflight.key({input: {connection, guid}}))
		},
		overview,
		directory,
		events: connection =>
			throttled(`events ${connection}`, () => {
				search(connection)
				invalidate(queries.events.key({input: {connection}}))
				invalidate(queries.detections.key({input: {connection}}))
				// Stored events raise warnings about hashes.
				drafts()
			}),
		log: () =>
			throttled('log', () => {
				search(null)
				marks(null)
				invalidate(queries.log.key())
				invalidate(queries.detections.key())
				// A computer's receipt is put together from the log.
				invalidate(queries.computers.detail.key())
			}),
		connections: () => invalidate(queries.connections.list.key()),
		settings: () => invalidate(queries.settings.key()),
		notices: () => invalidate(queries.local.notices.key()),
		jobs: () =>
			throttled('jobs', () => {
				invalidate(queries.jobs.list.key())
				invalidate(queries.jobs.get.key())
				invalidate(queries.jobs.receipts.key())
				// A committed change leaves its draft.
				drafts()
			}),
		approvals: () => throttled('approvals', () => invalidate(queries.approvals.key())),
		instances: () => throttled('instances', () => invalidate(queries.instances.key())),
		streams: () =>
			throttled('streams', () => {
				invalidate(queries.streams.own.key())
				invalidate(queries.targets.list.key())
			}),
		stop,
	}
}
