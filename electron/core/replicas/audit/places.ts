/** Positions of records from elsewhere between our own entries, cached until either changes. */
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {createRecent, type Recent} from '#shared/recent.ts'
import type {AuditQuery, AuditStore} from './store.ts'

type Log = Pick<IncidentLog, 'newest' | 'seqsBefore' | 'earliestAfter'>
type Store = Pick<AuditStore, 'places' | 'revision'>

/** A record from elsewhere belongs right above our last entry before its time. */
export interface Place {
	readonly key: string
	/** Number of that entry. */
	readonly above: number
}

interface Standing {
	revision: string
	/** Newest first. */
	records: ReturnType<Store['places']>
	above: Map<string, number>
	/** Number of our newest entry checked. */
	newest: number
	/** Answers computed from this state. */
	answers: Recent<readonly Place[]>
}

/** In display order, newest first. */
export function createPlaces() {
	const standings = new WeakMap<Store, Standing>()
	return async (log: Log, store: AuditStore, asked: AuditQuery): Promise<readonly Place[]> => {
		const last = standings.get(store)
		const standing = last?.revision === store.revision() ? await withNewer(log, last) : await stand(log, store)
		standings.set(store, standing)
		return standing.answers.remembered(JSON.stringify(asked), () => placesOf(store, standing, asked))
	}
}

async function stand(log: Log, store: Store): Promise<Standing> {
	// Both are read first: later changes are read once more the next time.
	const revision = store.revision()
	const newest = await log.newest()
	const records = store.places({})
	return {revision, newest, records, above: await aboveOf(log, records), answers: createRecent()}
}

/** Our new entries move only records after their times, usually none. */
async function withNewer(log: Log, standing: Standing) {
	const newest = await log.newest()
	if (newest <= standing.newest) return standing
	const earliest = await log.earliestAfter(standing.newest)
	const moved = earliest === null ? [] : laterThan(standing.records, earliest)
	for (const [key, above] of await aboveOf(log, moved)) standing.above.set(key, above)
	standing.newest = Math.max(standing.newest, newest)
	if (moved.length === 0) return standing
	standing.answers.clear()
	return standing
}

function laterThan(records: Standing['records'], time: string) {
	const end = records.findIndex(({at}) => at <= time)
	return end < 0 ? records : records.slice(0, end)
}

async function aboveOf(log: Log, records: Standing['records']) {
	const above = records.length === 0 ? [] : await log.seqsBefore(records.map(({at}) => at))
	return new Map(records.map(({key}, index) => [key, above[index] ?? 0]))
}

function placesOf(store: Store, {above}: Standing, asked: AuditQuery) {
	const places = store.places(asked).map(({key}) => ({key, above: above.get(key) ?? 0}))
	return places.toSorted((one, other) => other.above - one.above)
}
