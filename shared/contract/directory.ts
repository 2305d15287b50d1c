/** Procedures over the local copy of groups, policies and file lists (API reference, "Groups", "Policies", "File lists"). */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {TextFile} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
const connection = z.string().min(1)
const onConnection = z.object({connection})
const onObject = z.object({connection, guid: z.string().min(1)})

/** How fresh the copy is, and how much of it there is. */
export interface DirectoryState {
	readonly phase: 'empty' | 'loading' | 'complete' | 'partial' | 'failed'
	readonly readAt: string | null
	/** Details are one call each: how many of how many were read. */
	readonly details: {readonly read: number; readonly of: number}
	readonly error: ErrorReport | null
	/** What reading the listings again costs, in calls; `null` while nothing is known of their size. */
	readonly refreshCalls: number | null
	/** What reading all details again costs beside that. */
	readonly detailCalls: number | null
	/** What reading only those details costs that a reading failed to get; 0 when none did. */
	readonly lackingCalls: number
	readonly revision: number
}

export interface NamedReference {
	readonly guid: string
	readonly name: string
}

export interface GroupPolicyUse extends NamedReference {
	readonly product: string
	readonly inherited: boolean
}

export interface GroupNode {
	readonly guid: string
	readonly name: string
	readonly description: string
	readonly source: string | null
	readonly parent: string | null
	readonly children: readonly string[]
	/** Of its own, from the local copy of computers. */
	readonly computers: number
	readonly compromised: number
	readonly isolated: number
	/** Its own and those below it. */
	readonly below: {readonly computers: number; readonly compromised: number; readonly isolated: number}
	/** `null`: details not read yet. */
	readonly policies: readonly GroupPolicyUse[] | null
	readonly readAt: string
	/** Why its details could not be read the last time. */
	readonly problem: ErrorReport | null
	readonly vanishedAt: string | null
}

export interface GroupTree {
	readonly state: DirectoryState
	/** Parents before children, in the order of their names. */
	readonly groups: readonly GroupNode[]
}

/** What a change of a group's policies would do; nothing is sent for it but readings. */
export interface GroupChangePreview {
	readonly group: NamedReference
	readonly computers: number
	readonly products: readonly {
		readonly product: string
		readonly before: NamedReference | null
		readonly after: NamedReference | null
		readonly listsGained: readonly NamedReference[]
		readonly listsLost: readonly NamedReference[]
		readonly computers: number
	}[]
	readonly calls: number
}

export interface PolicyRow {
	readonly guid: string
	readonly name: string
	readonly product: string
	readonly description: string
	readonly isDefault: boolean
	readonly serial: number | null
	/** `null`: details not read yet. */
	readonly groups: readonly NamedReference[] | null
	readonly fileLists: readonly (NamedReference & {readonly type: string})[] | null
	readonly ipLists: readonly (NamedReference & {readonly type: string})[] | null
	readonly exclusionSets: readonly NamedReference[] | null
	/** Of the local copy, by the policy that they name. */
	readonly computers: number
	readonly readAt: string
	/** Why its details could not be read the last time. */
	readonly problem: ErrorReport | null
	readonly vanishedAt: string | null
}

export interface PolicyList {
	readonly state: DirectoryState
	readonly policies: readonly PolicyRow[]
}

export interface PolicyDetail {
	readonly row: PolicyRow
	/** The service's record. */
	readonly record: Readonly<Record<string, unknown>>
	/** Serial numbers as they were seen to change. */
	readonly serials: readonly {readonly serial: number; readonly seenAt: string}[]
}

export interface FileListRow {
	readonly guid: string
	readonly name: string
	readonly type: string
	/** `null`: not read yet. */
	readonly items: number | null
	readonly itemsRead: {
		readonly read: number
		readonly of: number | null
		readonly at: string | null
		/** A reading of them runs in this process. */
		readonly running: boolean
	}
	readonly policies: readonly NamedReference[] | null
	/** Computers that enforce it; `null` while the policies' details are not all read. */
	readonly covered: number | null
	/** Why its items could not all be read the last time. */
	readonly problem: ErrorReport | null
	readonly vanishedAt: string | null
}

export interface FileLists {
	readonly state: DirectoryState
	readonly lists: readonly FileListRow[]
}

export interface FileListItemRow {
	readonly sha256: string
	readonly description: string
	readonly source: string
	/** When this console first saw it in this list; `null` for what was there when the list was first read. The service tells no date. */
	readonly firstSeen: string | null
	/** From stored events: on how many computers, under which names, with which dispositions. */
	readonly seen: {readonly computers: number; readonly names: readonly string[]; readonly dispositions: readonly string[]}
}

export interface FileListItems {
	readonly list: FileListRow
	readonly rows: readonly FileListItemRow[]
	readonly offset: number
	readonly matching: number
	/** `false`: too many to be put into the order by what was seen; they come in the order of their hashes. */
	readonly isOrdered: boolean
	readonly revision: number
}

/** Everything that is known here of one hash. */
export interface KnownHash {
	/** Lower case. */
	readonly sha256: string
	/** Lists that contain it, as far as their items were read. */
	readonly holding: readonly {readonly list: FileListRow; readonly item: FileListItemRow}[]
	readonly seen: FileListItemRow['seen']
	/** The file of this computer's own system that has it, as far as those were hashed. */
	readonly systemFile: string | null
}

/** Computers of a group that report a policy. */
export interface PolicyWay {
	readonly policy: NamedReference & {readonly product: string}
	/** GUID empty for computers of no known group. */
	readonly group: NamedReference
	readonly computers: number
}

/** Which computers enforce a list, which do not, and why. */
export interface Coverage {
	readonly list: NamedReference
	readonly computers: number
	readonly enforced: number
	readonly parts: readonly {
		/** Stable word: `enforced`, `other_list`, `no_list`, `no_policy`, `product_without_list`, `unknown`. */
		readonly kind: string
		readonly title: string
		readonly computers: number
		/** A filter of the screen Computers that shows them; `null` where none can say it. */
		readonly filter: string | null
	}[]
	readonly ways: readonly PolicyWay[]
	/** What is missing to be sure, in a sentence. */
	readonly uncertain: string | null
}

/** Since when the hashes of a list are known here, as the service tells no date. */
export interface ListAges {
	/** Those that were there when the list was first read. */
	readonly undated: number
	/** Of the others, how many came on which day (ISO 8601 UTC, its beginning), oldest first. */
	readonly days: readonly {readonly day: string; readonly hashes: number}[]
}

const itemQuery = onObject.extend({
	/** A hash or its beginning, or words of the note. */
	search: z.string().default(''),
	sort: z.enum(['sha256', 'description', 'source', 'seen']).default('sha256'),
	descending: z.boolean().default(false),
})

export const directoryContract = {
	groups: {
		tree: base.input(onConnection).output(type<GroupTree>()),
		/** Reads the details of one group again (one call). */
		refreshOne: base.input(onObject).output(type<GroupNode | null>()),
		preview: base.input(onObject.extend({policies: z.record(z.string(), z.string())})).output(type<GroupChangePreview>()),
		/** Which policies the computers of each group report, most computers first; from the local copy. */
		ways: base.input(onConnection).output(type<readonly PolicyWay[]>()),
	},
	policies: {
		list: base.input(onConnection).output(type<PolicyList>()),
		detail: base.input(onObject).output(type<PolicyDetail | null>()),
		refreshOne: base.input(onObject).output(type<PolicyDetail | null>()),
		/** The policy as XML text; not every key may read it. */
		xml: base.input(onObject).output(type<{readonly text: string}>()),
	},
	fileLists: {
		list: base.input(onConnection).output(type<FileLists>()),
		items: base.input(itemQuery.extend({offset: z.int().min(0), limit: z.int().min(1).max(500)})).output(type<FileListItems>()),
		/** Position of an item in the order of the query; `-1` when it does not match. */
		position: base.input(itemQuery.extend({sha256: z.string().min(1)})).output(type<number>()),
		/** All matching items of the local copy as a file; CSV whose cells no spreadsheet runs. `cut`: it is not whole. */
		export: base.input(itemQuery.extend({format: z.enum(['csv', 'json'])})).output(type<TextFile & {readonly cut: boolean}>()),
		/** Reads the items of one list again, page by page. */
		refreshItems: base.input(onObject).output(type<FileListRow>()),
		coverage: base.input(onObject).output(type<Coverage>()),
		/** Of the local copy; empty for a list whose hashes have not been read yet. */
		ages: base.input(onObject).output(type<ListAges>()),
		/** Every list that holds a hash, as far as they were read. */
		holding: base
			.input(onConnection.extend({sha256: z.string().min(1)}))
			.output(type<readonly {readonly list: FileListRow; readonly item: FileListItemRow}[]>()),
		/** What is known of a hash, on a list or not; nothing is asked for it. */
		hash: base.input(onConnection.extend({sha256: z.string().min(1)})).output(type<KnownHash>()),
	},
	state: base.input(onConnection).output(type<DirectoryState>()),
	/** Reads groups, policies and lists again, and with `details` what is one call each: of all, or of those that failed. */
	refresh: base
		.input(onConnection.extend({details: z.union([z.boolean(), z.literal('lacking')]).default(false)}))
		.output(type<DirectoryState>()),
}
