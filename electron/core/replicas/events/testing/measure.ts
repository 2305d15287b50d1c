import {statSync} from 'node:fs'

import type {Clock} from '#base/ports.ts'
import {openEventStore, type EventStore} from '../store.ts'
import {fillEvents} from './fill.ts'
import {endOfTime, groupGuids, hashOf} from './generate.ts'

export const stillClock: Clock = {now: () => endOfTime, monotonic: () => performance.now(), sleep: async () => {}}

export interface EventFigure {
	name: string
	ms: readonly number[]
	/** The aim in milliseconds. */
	target: number
}

export interface EventMeasure {
	buildSeconds: number
	fileBytes: number
	figures: readonly EventFigure[]
}

const filters = [
	'',
	'type=1090519054',
	'severity>=high',
	'outcome:open',
	'outcome:failed severity:critical',
	'host:FIN-WS-0',
	'host=FIN-WS-00042',
	'user:keller',
	`group=${groupGuids[3] ?? ''}`,
	`hash:${hashOf(17)}`,
	'ip:10.3.0.0/16',
	'ip:10.',
	'file:winword',
	'path:"C:\\Users"',
	'url:bad7',
	'powershell',
	'scan',
	'w',
	'1',
	'micr',
	'm.keller1',
	'download setup',
	'nothing-like-it',
	'-type:scan',
	'time>10d severity:high'
]

/** Fills a store and measures its answers, `runs` times each. */
export function measureEvents(path: string, count: number, runs: number): EventMeasure {
	const buildSeconds = fillEvents(path, {count, days: 30})
	const figures = withStore(path, store => [...windowsOf(store, runs), ...othersOf(store, count, runs)])
	return {buildSeconds, fileBytes: statSync(path).size, figures}
}

/** The rows that a filled store gives for each of the filters. */
export function measureWindows(path: string, runs: number): readonly EventFigure[] {
	return withStore(path, store => windowsOf(store, runs))
}

function withStore<T>(path: string, work: (store: EventStore) => T) {
	const source = {skewMs: () => 0, page: () => Promise.reject(new Error('no service')), types: () => Promise.resolve([])}
	const groupNames = () => new Map(groupGuids.map((guid, index) => [guid, `Group ${index}`]))
	const store = openEventStore({path, clock: stillClock, source, groupNames})
	try {
		return work(store)
	} finally {
		// Nothing is written or read here, so it closes at once.
		void store.stop()
	}
}

function timed(runs: number, work: () => unknown) {
	// Warm-up, as after opening the screen.
	work()
	return Array.from({length: runs}, () => {
		const begun = performance.now()
		work()
		return performance.now() - begun
	})
}

const all = {from: null, to: null} as const

function windowsOf(store: EventStore, runs: number) {
	return filters.map(filter => {
		const query = {...all, filter, grouping: 'none', offset: 0, limit: 100} as const
		const {matching} = store.query(query)
		const found = `${matching.exact ? '' : 'more than '}${matching.count}`
		return {name: `window "${filter}" (${found})`, ms: timed(runs, () => store.query(query)), target: 5}
	})
}

function othersOf(store: EventStore, count: number, runs: number) {
	const figures: EventFigure[] = []
	const measure = (name: string, target: number, work: () => unknown) => void figures.push({name, ms: timed(runs, work), target})
	const grouped = {...all, filter: '', grouping: 'detections', offset: 0, limit: 100} as const
	measure('window by detections', 5, () => store.query(grouped))
	measure('window by detections, in the middle', 20, () => store.query({...grouped, offset: count >> 1}))
	let asked = 0
	// A different query each time: a repeated one is answered from the cache.
	const by = (grouping: 'hash' | 'computer') => store.query({...grouped, grouping, from: new Date((asked += 1)).toISOString()})
	measure('rows by hash', 50, () => by('hash'))
	measure('rows by computer', 50, () => by('computer'))
	const flat = {...grouped, grouping: 'none'} as const
	measure('window in the middle', 5, () => store.query({...flat, offset: count >> 1}))
	measure('window at the end', 5, () => store.query({...flat, offset: count - 100}))
	const deep = {...flat, filter: 'type:scan', offset: count / 4}
	measure('window of a filter, deep', 50, () => store.query(deep))
	const key = store.query({...flat, offset: count >> 1}).rows[0]?.key ?? ''
	measure('position', 5, () => store.position({...flat, key}))
	for (const filter of ['', 'severity>=high', 'scan']) measure(`histogram "${filter}"`, 50, () => store.histogram({...flat, filter, steps: 120}))
	for (const filter of ['', 'severity>=high']) measure(`facets "${filter}"`, 50, () => store.facets({...flat, filter}))
	measure('detail', 5, () => store.detail(key))
	measure('state', 5, () => store.state())
	measure('types', 5, () => store.types())
	return figures
}
