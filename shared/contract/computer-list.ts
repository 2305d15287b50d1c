/** Procedures of the computers list besides its rows: facets, exports, labels and saved views. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, onConnection} from './base.ts'
import {labelChangeSchema} from '../model/label.ts'
import {savedViewSchema, type SavedView} from '../model/saved-view.ts'
import type {FileStream} from '../model/text-file.ts'
import {type ComputerFacet, computerSorts} from '../model/choices.ts'

export const computerQuery = z.object({
	connection,
	/** The typed filter, as in `model/computer-filter.ts`. */
	filter: z.string(),
	sort: z.object({column: z.enum(computerSorts), descending: z.boolean()})
})

export interface ComputerFacetValue {
	/** The value for the filter; empty for computers without one. */
	readonly value: string
	readonly count: number
}

/**
 * Number of rows per value, most frequent first; ages in order. A facet's counts ignore the filter's own condition on it, so that
 * other values can be added.
 */
export interface ComputerFacets {
	readonly facets: Readonly<Record<ComputerFacet, readonly ComputerFacetValue[]>>
	readonly matching: number
}

export const exportFormats = ['csv', 'json', 'jsonl'] as const

/** What the text of an export is; `head` comes before it. */
export interface ComputerExport {
	readonly head: string
	readonly rows: number
	/** Why the file lacks some of its computers, in a sentence; `null` when complete. */
	readonly partial: string | null
}

/** GUIDs of local computers by marks for selections. */
export interface ComputerMarks {
	/** The guard rules protect them from jobs. */
	readonly protected: readonly string[]
	/** Isolated by their last reading. */
	readonly isolated: readonly string[]
}

export const computerListContract = {
	/** Of the whole local copy, so that a selection of any size is counted in the page. */
	marks: base.input(onConnection).output(type<ComputerMarks>()),
	facets: base.input(computerQuery.omit({sort: true})).output(type<ComputerFacets>()),
	export: base
		.input(
			computerQuery.extend({
				format: z.enum(exportFormats),
				/** Ids of the CSV columns, in order. */
				columns: z.array(z.string()).max(60),
				/** A frozen list instead of the filter's result. */
				guids: z.array(z.string()).max(200_000).nullable().default(null)
			})
		)
		.output(type<FileStream<ComputerExport>>()),
	/** Adds and removes tags and roles, on this computer only. Returns the number of changed computers. */
	label: base.input(labelChangeSchema.extend({connection})).output(type<{changed: number}>())
}

export const viewsContract = {
	list: base.input(onConnection).output(type<readonly SavedView[]>()),
	save: base.input(z.object({connection, view: savedViewSchema})).output(type<readonly SavedView[]>()),
	remove: base.input(z.object({connection, id: z.string()})).output(type<readonly SavedView[]>())
}
