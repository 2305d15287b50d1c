import type {
	Coverage,
	DirectoryState,
	FileListItemRow,
	FileListItems,
	FileListRow,
	FileLists,
	GroupChangePreview,
	GroupNode,
	GroupPolicyUse,
	GroupTree,
	KnownHash,
	ListAges,
	PolicyDetail,
	PolicyList,
	PolicyWay,
} from '#contract/directory.ts'
import type {ComputerSpread} from '../computers/aggregates.ts'
import type {FileList, FileListItem} from '#model/file-list.ts'
import type {Group} from '#model/group.ts'
import type {Policy} from '#model/policy.ts'

/** Computers that have the same group, policy and operating system. GUIDs are lower case; empty when there is none. */
export interface ComputerCell extends ComputerSpread {
	readonly groupName: string
}

/** What the directory asks of the local copy of computers. */
export interface ComputerSource {
	cells(): readonly ComputerCell[]
	/** The last listing was read to its end. */
	complete(): boolean
}

/** What stored events tell of hashes (lower case); a hash without an event is left out. */
export interface SeenSource {
	seen(hashes: readonly string[]): ReadonlyMap<string, FileListItemRow['seen']>
}

export const nothingSeen: SeenSource = {seen: () => new Map()}

/** What answers to commands taught. Times are Unix milliseconds, of sending where it is known. */
export interface DirectoryLearn {
	/** Name of a group, policy or list. */
	nameOf?(guid: string): string | undefined
	/** Records of the listing, or with `policies` the details of a group. */
	observeGroups(groups: readonly Group[], at: number): void
	observePolicies(policies: readonly Policy[], at: number): void
	observeFileLists(lists: readonly FileList[], at: number): void
	/**
	 * The service says that the hash is on the list, or with `null` that it is not; `changed` when a change of this
	 * program made it so.
	 */
	observeFileListItem(
		list: string,
		sha256: string,
		item: FileListItem | null,
		how: {readonly at: number; readonly changed: boolean},
	): void
}

/** Which items, in which order. */
export interface ItemOrder {
	readonly search: string
	readonly sort: 'sha256' | 'description' | 'source' | 'seen'
	readonly descending: boolean
}

export interface ItemQuery extends ItemOrder {
	readonly offset: number
	readonly limit: number
}

/** The local copy of one connection's groups, policies and file lists: one SQLite file. */
export interface Directory extends DirectoryLearn {
	state(): DirectoryState
	tree(): GroupTree
	policies(): PolicyList
	/** Policies of a group as its details told them last, and when that was asked, in Unix milliseconds; `null`: not known. */
	policiesOf(guid: string): {readonly policies: readonly GroupPolicyUse[]; readonly at: number} | null
	policy(guid: string): PolicyDetail | null
	fileLists(): FileLists
	/** Throws `not_found` for a list that has not been read yet. */
	items(guid: string, query: ItemQuery): FileListItems
	/** `-1` for an item that does not match. */
	position(guid: string, order: ItemOrder, sha256: string): number
	/** Throws `not_found` for a list that has not been read yet. */
	exportItems(
		guid: string,
		query: ItemOrder & {readonly format: 'csv' | 'json'},
		signal?: AbortSignal | undefined,
	): Promise<{readonly list: FileListRow; readonly text: string; readonly cut: boolean}>
	/** Which policies the computers of each group report, most computers first. */
	ways(): readonly PolicyWay[]
	coverage(guid: string): Coverage
	ages(guid: string): ListAges
	holding(sha256: string): readonly {readonly list: FileListRow; readonly item: FileListItemRow}[]
	hash(sha256: string): Omit<KnownHash, 'systemFile'>
	/** Which of these hashes (lower case) are on which lists, as far as their items were read. */
	holdings(hashes: readonly string[]): readonly {readonly sha256: string; readonly guid: string}[]
	/** All hashes of a list that were read, in order; none for a list that is not known. */
	hashesOf(guid: string): readonly string[]
	/** Reads what it lacks of the group and the policies, and nothing else. */
	preview(guid: string, policies: Readonly<Record<string, string>>, signal?: AbortSignal | undefined): Promise<GroupChangePreview>
	/** Policy as XML text. Throws what the service answers. */
	xml(guid: string, signal?: AbortSignal | undefined): Promise<{readonly text: string}>
	/**
	 * Reads the listings again, and with `details` every object, or only what a reading failed to get. Resolves when it ended, whatever came of it; one at a
	 * time, a second call joins the first. Rejects with `cancelled`, or when the file cannot be written.
	 */
	refresh(how: {readonly details: boolean | 'lacking'}, signal?: AbortSignal | undefined): Promise<DirectoryState>
	/** Reads one object's details again; an object that is gone is marked in its row. Rejects with what else went wrong. */
	refreshGroup(guid: string, signal?: AbortSignal | undefined): Promise<GroupNode | null>
	refreshPolicy(guid: string, signal?: AbortSignal | undefined): Promise<PolicyDetail | null>
	/** Reads all items of a list; what could not be read is told by the row. Rejects with `cancelled`. */
	refreshItems(guid: string, signal?: AbortSignal | undefined): Promise<FileListRow>
	/** Somebody looks: what is old or has not been read yet is read in the background, as far as the quota has room for it. */
	look(): void
	onChange(listener: () => void): () => void
	stop(): Promise<void>
}
