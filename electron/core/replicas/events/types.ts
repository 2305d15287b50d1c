import type {
	EventDetail,
	EventFacets,
	EventHistogram,
	EventQuery,
	EventStoreState,
	EventTypeRow,
	EventWindow,
} from '#contract/events.ts'
import type {ServiceEvent} from '#model/event.ts'

import type {Arrivals} from './arrivals.ts'
import type {DetectionGroups} from './groups.ts'
import type {NewestEvents, NewestQuery} from './newest.ts'

type Asked = Omit<EventQuery, 'connection'>

export type ExportFormat = 'csv' | 'jsonl'

export interface EventExport {
	readonly text: string
	/** Whether the export omits rows. */
	readonly cut: boolean
}

/** Facts about one file from stored events. */
export interface SeenFile {
	readonly computers: number
	readonly names: readonly string[]
	readonly dispositions: readonly string[]
}

/** The stored events of one connection. Reads are synchronous and quick; a faulty filter throws. */
export interface EventStore {
	state(): EventStoreState
	query(query: Asked & {readonly offset: number; readonly limit: number}): EventWindow
	/** Number of matches, counted to a limit: beyond it, `exact` is false. */
	count(filter: string, most: number): EventWindow['matching']
	/** The newest matches of a filter: some as rows, more as values, and their number up to a limit. */
	newest(query: NewestQuery): NewestEvents
	position(query: Asked & {readonly key: string}): number
	histogram(query: Asked & {readonly steps: number}): EventHistogram
	facets(query: Asked): EventFacets
	detail(key: string): EventDetail | null
	/** Of the newest detections; read piece by piece, so that others have the thread in between. */
	groups(): Promise<DetectionGroups>
	types(): readonly EventTypeRow[]
	/** Number of computers, names and dispositions of a file, from its newest events. */
	seen(hashes: readonly string[]): ReadonlyMap<string, SeenFile>
	/** Which of these computers have a stored event that matches; GUIDs in lower case. */
	tellers(filter: string, guids: readonly string[]): ReadonlySet<string>
	/** Resolves when it ended, with any result; rejects as `cancelled` when the signal or `stop` ends the wait. */
	refresh(options?: {readonly days?: number | undefined; readonly signal?: AbortSignal | undefined}): Promise<EventStoreState>
	/** Commits pushed events; resolves with the number of new ones. */
	receive(records: readonly ServiceEvent[]): Promise<number>
	/** Matches among the next `most` arrivals after that number, in order of arrival. */
	arrivals(after: number, most: number, filter: string): Arrivals
	/** The number of the last arrival, and the file's generation: a recreated file begins again. */
	arrived(): {readonly generation: string; readonly newest: number}
	export(query: Asked & {readonly format: ExportFormat}, signal?: AbortSignal): Promise<EventExport>
	onChange(listener: () => void): () => void
	/** Ends a reading, finishes pending writes, and closes the file. */
	stop(): Promise<void>
}
