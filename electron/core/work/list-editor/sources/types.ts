import type {SourceColumn, TextFormat} from '#model/list-draft.ts'

export interface FoundHash {
	/** As it stands there, cut to 200 characters. */
	readonly text: string
	readonly note: string
	/** `line 12`, or the id of a STIX object. */
	readonly place: string
}

export interface ReadSource {
	readonly format: TextFormat
	readonly found: readonly FoundHash[]
	/** What was passed over, in words. */
	readonly ignored: readonly string[]
	readonly columns: readonly SourceColumn[]
	readonly chosen: {readonly hash: number; readonly note: number | null} | null
}
