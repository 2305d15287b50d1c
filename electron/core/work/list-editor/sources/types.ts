import type {SourceReport} from '#model/list-draft.ts'

export interface FoundHash {
	/** As it stands there, cut to 200 characters. */
	readonly text: string
	readonly note: string
	/** `line 12`, or the id of a STIX object. */
	readonly place: string
}

export interface ReadSource extends Omit<SourceReport, 'hashes' | 'others'> {
	readonly found: readonly FoundHash[]
}
