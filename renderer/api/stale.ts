import type {QueryClient} from '@tanstack/react-query'
import type {Queries} from './wire.ts'

/** Marks queries as out of date, so that those in view are read again. */
export interface Stale {
	everything(): void
	computers(connection: string): void
	computer(connection: string, guid: string): void
	/** What the overview shows of a connection, or with `null` of any. */
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

/** While a listing is read, rows change many times a second; the page reads them again at most this often (ms). */
const atMostEvery = 400
/** Facets count over everything, and rows come before them. */
const facetsAtMostEvery = 5000
/** The overview counts over everything, and almost every change is one of its own. */
const overviewAtMostEvery = 1500

/** Which computers are protected or isolated is one answer for the whole copy. */
const marksAtMostEvery = 2000

/** Every row of a draft is looked through again, and a commit changes the list with each of its calls. */
const draftsAtMostEvery = 2000

/** What the search found is worked out over all local copies. */
const searchAtMostEvery = 2000

interface Throttle {
	/** Runs it soon, and not more often than that (ms). */
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

/** Answers that many kinds of news concern, each asked again at its own pace. */
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
		/** Guard rules may have changed with an entry of the log: then of all connections. */
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
				// Not the XML of a policy: that is a call to the service each time.
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
				// Counts of groups, policies and lists come from the computers.
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
				// Stored events speak against hashes.
				drafts()
			}),
		log: () =>
			throttled('log', () => {
				search(null)
				marks(null)
				invalidate(queries.log.key())
				// The receipt of a computer is put together from the log.
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
				// What is done leaves its draft.
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
