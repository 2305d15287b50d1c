/** Procedures of the computers list besides its rows: facets, exports, labels and saved views. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base} from './base.ts'
import {labelChangeSchema} from '../model/label.ts'
import {savedViewSchema, type SavedView} from '../model/saved-view.ts'
import type {TextFile} from '../model/text-file.ts'

const connection = z.string().min(1)

export const computerSorts = [
	'hostname',
	'group',
	'policy',
	'os',
	'connector',
	'last_seen',
	'internal_ip',
	'external_ip',
	'isolation',
	'compromised',
	'installed',
] as const
export type ComputerSort = (typeof computerSorts)[number]

export const computerQuery = z.object({
	connection,
	/** The typed filter, as in `model/computer-filter.ts`. */
	filter: z.string(),
	sort: z.object({column: z.enum(computerSorts), descending: z.boolean()}),
})

export const computerFacets = [
	'seen',
	'group',
	'os',
	'policy',
	'connector',
	'isolation',
	'compromised',
	'tag',
	'role',
	'guess',
] as const
export type ComputerFacet = (typeof computerFacets)[number]

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

/** Ages of the last sighting in order; `longer` and `within` are the filter's names of their ends. */
export const seenAges = [
	{id: '1h', title: 'within an hour', longer: null, within: '1h', ms: 3_600_000},
	{id: '1d', title: '1 to 24 hours ago', longer: '1h', within: '1d', ms: 86_400_000},
	{id: '7d', title: '1 to 7 days ago', longer: '1d', within: '7d', ms: 7 * 86_400_000},
	{id: '30d', title: '7 to 30 days ago', longer: '7d', within: '30d', ms: 30 * 86_400_000},
	{id: '90d', title: '30 to 90 days ago', longer: '30d', within: '90d', ms: 90 * 86_400_000},
	{id: '365d', title: '90 days to a year ago', longer: '90d', within: '365d', ms: 365 * 86_400_000},
	{id: 'older', title: 'more than a year ago', longer: '365d', within: null, ms: null},
	{id: 'never', title: 'never', longer: null, within: null, ms: null},
] as const
export type SeenAge = (typeof seenAges)[number]['id']

export const exportFormats = ['csv', 'json', 'jsonl'] as const

export interface ComputerExport extends TextFile {
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
	marks: base.input(z.object({connection})).output(type<ComputerMarks>()),
	facets: base.input(computerQuery.omit({sort: true})).output(type<ComputerFacets>()),
	export: base
		.input(
			computerQuery.extend({
				format: z.enum(exportFormats),
				/** Ids of the CSV columns, in order. */
				columns: z.array(z.string()).max(60),
				/** A frozen list instead of the filter's result. */
				guids: z.array(z.string()).max(200_000).nullable().default(null),
			}),
		)
		.output(type<ComputerExport>()),
	/** Adds and removes tags and roles, on this computer only. Returns the number of changed computers. */
	label: base.input(labelChangeSchema.extend({connection})).output(type<{readonly changed: number}>()),
}

export const viewsContract = {
	list: base.input(z.object({connection})).output(type<readonly SavedView[]>()),
	save: base.input(z.object({connection, view: savedViewSchema})).output(type<readonly SavedView[]>()),
	remove: base.input(z.object({connection, id: z.string()})).output(type<readonly SavedView[]>()),
}
