import type {
	EventDetail,
	EventFacets,
	EventHistogram,
	EventQuery,
	EventStoreState,
	EventTypeRow,
	EventWindow,
} from '#shared/contract/events.ts'
import type {ServiceEvent} from '#shared/model/event.ts'

import type {Arrivals} from './arrivals.ts'
import type {NewestEvents, NewestQuery} from './newest.ts'

type Asked = Omit<EventQuery, 'connection'>

export type ExportFormat = 'csv' | 'jsonl'

export interface EventExport {
	readonly text: string
	/** There is more than an export holds. */
	readonly cut: boolean
}

/** What stored events tell of one file. */
export interface SeenFile {
	readonly computers: number
	readonly names: readonly string[]
	readonly dispositions: readonly string[]
}

/** The stored events of one connection. Reading the file is synchronous and quick; a filter with problems throws. */
export interface EventStore {
	state(): EventStoreState
	query(query: Asked & {readonly offset: number; readonly limit: number}): EventWindow
	/** How many match, counted to a limit: beyond it, `exact` is false. */
	count(filter: string, most: number): EventWindow['matching']
	/** The newest of a filter: some as rows, more as values, and their number up to a limit. */
	newest(query: NewestQuery): NewestEvents
	position(query: Asked & {readonly key: string}): number
	histogram(query: Asked & {readonly steps: number}): EventHistogram
	facets(query: Asked): EventFacets
	detail(key: string): EventDetail | null
	types(): readonly EventTypeRow[]
	/** On how many computers, under which names and with which dispositions a file was seen; from its newest events. */
	seen(sha256: string): SeenFile
	/** Which of these computers have a stored event that matches; GUIDs in lower case. */
	tellers(filter: string, guids: readonly string[]): ReadonlySet<string>
	/** Resolves when it ended, whatever came of it; rejects as `cancelled` when the signal or `stop` ends the wait. */
	refresh(options?: {readonly days?: number | undefined; readonly signal?: AbortSignal | undefined}): Promise<EventStoreState>
	/** Commits events that came by themselves; resolves with how many were new. */
	receive(records: readonly ServiceEvent[]): Promise<number>
	/** What arrived after that number and matches, in the order of arrival; of so many arrivals at most. */
	arrivals(after: number, most: number, filter: string): Arrivals
	/** The number of the last arrival, and which file counts: one that was recreated begins again. */
	arrived(): {readonly generation: string; readonly newest: number}
	export(query: Asked & {readonly format: ExportFormat}, signal?: AbortSignal): Promise<EventExport>
	onChange(listener: () => void): () => void
	/** Ends a reading, lets what arrived be written, and closes the file. */
	stop(): Promise<void>
}
