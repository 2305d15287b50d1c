import {listItems, type ListItem, type ListSeed} from './tenant/policies.ts'
import type {Tenant} from './tenant/tenant.ts'

/** File lists and their items, by lower-case hash in insertion order. */
export type FileLists = ReturnType<typeof createFileLists>

export function createFileLists(tenant: Tenant) {
	const byGuid = new Map(tenant.lists.map(list => [list.guid, list]))
	const contents = new Map<ListSeed, Map<string, ListItem>>()
	const open = (list: ListSeed) => {
		const known = contents.get(list) ?? new Map(listItems(tenant.seed, list).map(item => [item.sha256, item]))
		contents.set(list, known)
		return known
	}
	return {
		find: (guid: string) => byGuid.get(guid.toLowerCase()),
		items: open,
		put: (list: ListSeed, item: ListItem) => void open(list).set(item.sha256, item),
		remove: (list: ListSeed, sha256: string) => void open(list).delete(sha256)
	}
}
