import type {FileListItemRow} from '#contract/directory.ts'
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
	observeFileListItem(list: string, sha256: string, item: FileListItem | null, how: {at: number; changed: boolean}): void
}

/** Which items, in which order. */
export interface ItemOrder {
	search: string
	sort: 'sha256' | 'description' | 'source' | 'seen'
	descending: boolean
}

export interface ItemQuery extends ItemOrder {
	offset: number
	limit: number
}
