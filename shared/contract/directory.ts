/** Procedures over the local copy of groups, policies and file lists (API reference, "Groups", "Policies", "File lists"). */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, onConnection, onObject, window} from './base.ts'
import type {CutStream} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'

/** Age and completeness of the copy. */
export type DirectoryState = Readonly<{
	phase: 'empty' | 'loading' | 'complete' | 'partial' | 'failed'
	readAt: string | null
	/** Details are one call each: loaded number of total. */
	details: {read: number; of: number}
	error: ErrorReport | null
	/** Cost of loading the listings again, in calls; `null` while their size is unknown. */
	refreshCalls: number | null
	/** Additional cost of loading all details again. */
	detailCalls: number | null
	/** Cost of loading only failed details; 0 without any. */
	lackingCalls: number
	revision: number
}>

export interface NamedReference {
	readonly guid: string
	readonly name: string
}

interface CopiedObject extends NamedReference {
	/** Why its details, or items, last failed to load completely. */
	problem: ErrorReport | null
	vanishedAt: string | null
}

export interface GroupPolicyUse extends NamedReference {
	readonly product: string
	readonly inherited: boolean
}

export interface GroupNode extends CopiedObject {
	readonly description: string
	readonly source: string | null
	readonly parent: string | null
	readonly children: readonly string[]
	/** Of its own, from the local copy of computers. */
	readonly computers: number
	readonly compromised: number
	readonly isolated: number
	/** Its own and those of subgroups. */
	readonly below: {computers: number; compromised: number; isolated: number}
	/** `null`: details not loaded. */
	readonly policies: readonly GroupPolicyUse[] | null
	readonly readAt: string
}

export interface GroupTree {
	readonly state: DirectoryState
	/** Parents before children, in the order of their names. */
	readonly groups: readonly GroupNode[]
}

/** The effect of changing a group's policies; only reads are sent for it. */
export interface GroupChangePreview {
	readonly group: NamedReference
	readonly computers: number
	readonly products: readonly {
		product: string
		before: NamedReference | null
		after: NamedReference | null
		listsGained: readonly NamedReference[]
		listsLost: readonly NamedReference[]
		computers: number
	}[]
	readonly calls: number
}

export interface PolicyRow extends CopiedObject {
	readonly product: string
	readonly description: string
	readonly isDefault: boolean
	readonly serial: number | null
	/** `null`: details not loaded. */
	readonly groups: readonly NamedReference[] | null
	readonly fileLists: readonly (NamedReference & {type: string})[] | null
	readonly ipLists: readonly (NamedReference & {type: string})[] | null
	readonly exclusionSets: readonly NamedReference[] | null
	/** Of the local copy, by their policy. */
	readonly computers: number
	readonly readAt: string
}

export interface PolicyList {
	readonly state: DirectoryState
	readonly policies: readonly PolicyRow[]
}

export interface PolicyDetail {
	readonly row: PolicyRow
	readonly record: Readonly<Record<string, unknown>>
	/** Observed changes of serial numbers. */
	readonly serials: readonly {serial: number; seenAt: string}[]
}

export interface FileListRow extends CopiedObject {
	readonly type: string
	/** `null`: not loaded. */
	readonly items: number | null
	readonly itemsRead: {
		read: number
		of: number | null
		at: string | null
		/** Whether this process is loading them. */
		running: boolean
	}
	readonly policies: readonly NamedReference[] | null
	/** Computers that enforce it; `null` until the details of all policies are loaded. */
	readonly covered: number | null
}

export interface FileLists {
	readonly state: DirectoryState
	readonly lists: readonly FileListRow[]
	/** Kinds that were never listed to the end: more of their lists may exist. */
	readonly unlisted: readonly string[]
}

export type FileListItemRow = Readonly<{
	sha256: string
	description: string
	source: string
	/** When this console first saw it in this list; `null` for those of the first load. The service reports no date. */
	firstSeen: string | null
	/** From stored events: number of computers, names and dispositions. */
	seen: {computers: number; names: readonly string[]; dispositions: readonly string[]}
}>

export type FileListItems = Readonly<{
	list: FileListRow
	rows: readonly FileListItemRow[]
	offset: number
	matching: number
	/** `false`: too many to sort by sightings; sorted by hash. */
	isOrdered: boolean
	revision: number
}>

export interface KnownHash {
	/** Lower case. */
	readonly sha256: string
	/** Lists that contain it, among loaded ones. */
	readonly holding: readonly {list: FileListRow; item: FileListItemRow}[]
	readonly seen: FileListItemRow['seen']
	/** The file of this computer's own system with this hash, among hashed ones. */
	readonly systemFile: string | null
}

/** Computers of a group that report a policy. */
export interface PolicyWay {
	readonly policy: NamedReference & {product: string}
	/** Empty GUID for computers of unknown groups. */
	readonly group: NamedReference
	readonly computers: number
}

/** Computers that enforce a list, and the others with reasons. */
export type Coverage = Readonly<{
	list: NamedReference
	computers: number
	enforced: number
	parts: readonly {
		/** Stable word: `enforced`, `other_list`, `no_list`, `no_policy`, `product_without_list`, `unknown`. */
		kind: string
		title: string
		computers: number
		/** A computers filter that shows them; `null` if none can. */
		filter: string | null
	}[]
	ways: readonly PolicyWay[]
	/** Missing data, in a sentence. */
	uncertain: string | null
}>

/** When the hashes of a list became known here, because the service reports no date. */
export interface ListAges {
	/** Those of the first load. */
	readonly undated: number
	/** Number of the others per day (ISO 8601 UTC start of day), oldest first. */
	readonly days: readonly {day: string; hashes: number}[]
}

const itemQuery = onObject.extend({
	/** A hash or its beginning, or words of the note. */
	search: z.string().default(''),
	sort: z.enum(['sha256', 'description', 'source', 'seen']).default('sha256'),
	descending: z.boolean().default(false)
})

export const directoryContract = {
	groups: {
		tree: base.input(onConnection).output(type<GroupTree>()),
		/** Loads the details of one group again (one call). */
		refreshOne: base.input(onObject).output(type<GroupNode | null>()),
		preview: base.input(onObject.extend({policies: z.record(z.string(), z.string())})).output(type<GroupChangePreview>()),
		/** Policies reported by the computers of each group, most computers first; from the local copy. */
		ways: base.input(onConnection).output(type<readonly PolicyWay[]>())
	},
	policies: {
		list: base.input(onConnection).output(type<PolicyList>()),
		detail: base.input(onObject).output(type<PolicyDetail | null>()),
		refreshOne: base.input(onObject).output(type<PolicyDetail | null>()),
		/** The policy as XML text; not every key may read it. */
		xml: base.input(onObject).output(type<{text: string}>())
	},
	fileLists: {
		list: base.input(onConnection).output(type<FileLists>()),
		items: base.input(itemQuery.extend({...window})).output(type<FileListItems>()),
		/** Position of an item in the order of the query; `-1` when it does not match. */
		position: base.input(itemQuery.extend({sha256: z.string().min(1)})).output(type<number>()),
		/** All matching items of the local copy as a file; CSV cells are safe for spreadsheets. `cut`: incomplete. */
		export: base.input(itemQuery.extend({format: z.enum(['csv', 'json'])})).output(type<CutStream>()),
		/** Loads the items of one list again, page by page. */
		refreshItems: base.input(onObject).output(type<FileListRow>()),
		coverage: base.input(onObject).output(type<Coverage>()),
		/** Of the local copy; empty for a list whose hashes are not loaded. */
		ages: base.input(onObject).output(type<ListAges>()),
		/** Every loaded list that contains a hash. */
		holding: base.input(onConnection.extend({sha256: z.string().min(1)})).output(type<readonly {list: FileListRow; item: FileListItemRow}[]>()),
		/** Known facts of any hash; no query is sent. */
		hash: base.input(onConnection.extend({sha256: z.string().min(1)})).output(type<KnownHash>())
	},
	state: base.input(onConnection).output(type<DirectoryState>()),
	/** Loads groups, policies and lists again, and with `details` their details (one call each): all, or failed ones. */
	refresh: base.input(onConnection.extend({details: z.union([z.boolean(), z.literal('lacking')]).default(false)})).output(type<DirectoryState>())
}
