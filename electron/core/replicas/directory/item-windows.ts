import type {FileListItemRow} from '#contract/directory.ts'
import {createRecent} from '#shared/recent.ts'
import type {Items, StoredItem} from './items.ts'
import {itemRow} from './rows.ts'
import type {ItemOrder, ItemQuery, SeenSource} from './types.ts'

type Readers = Pick<Items, 'state' | 'window' | 'count' | 'hashes' | 'ordered' | 'position' | 'pick'>

/** Each hash costs one query of the stored events, so longer results keep the order of hashes. */
const mostSorted = 5000
const atOnce = 100

/** Windows over the items of a list. Counts and the order by computers are kept until the next change. */
export function makeItemWindows(items: Readers, seen: SeenSource, revision: () => number) {
	const counts = createRecent<number>(16)
	const orders = createRecent<readonly string[]>(2)
	/** `known` is a count that earlier rows gave; it saves another scan over all notes. */
	const matchingOf = (list: number, search: string, known?: number) =>
		counts.remembered(`${revision()} ${list} ${search}`, () => known ?? items.count(list, search))
	/** The order by number of computers; `undefined` where the order is by hash. */
	const seenOrder = (list: number, order: ItemOrder) => {
		if (!isBySeen(list, order)) return undefined
		const key = JSON.stringify([revision(), list, order.search, order.descending])
		return orders.remembered(key, () => [...bySeen(items.hashes(list, order.search), seen, order.descending)].flat())
	}
	const isBySeen = (list: number, {search, sort}: ItemOrder) => sort === 'seen' && matchingOf(list, search) <= mostSorted
	const rowsOf = (list: number, query: ItemQuery) => {
		const order = seenOrder(list, query)
		if (order === undefined && query.offset === 0) return items.window(list, query)
		if (order === undefined) return fromNearerEnd(items, list, query, matchingOf(list, query.search))
		return items.pick(list, order.slice(query.offset, query.offset + query.limit))
	}
	const withSeen = (rows: readonly StoredItem[]) => {
		const known: ReadonlyMap<string, FileListItemRow['seen']> = rows.length === 0 ? new Map() : seen.seen(rows.map(({sha256}) => sha256))
		return rows.map(row => itemRow(row, known))
	}
	return {
		window: (guid: string, query: ItemQuery) => {
			const state = items.state(guid)
			if (state === undefined) return {rows: [], offset: query.offset, matching: 0, isOrdered: true, revision: revision()}
			const rows = withSeen(rowsOf(state.id, query))
			const isAll = query.offset === 0 && rows.length < query.limit
			const matching = matchingOf(state.id, query.search, isAll ? rows.length : undefined)
			const isOrdered = query.sort !== 'seen' || matching <= mostSorted
			return {rows, offset: query.offset, matching, isOrdered, revision: revision()}
		},
		/** `-1` when the item does not match. */
		position: (guid: string, order: ItemOrder, sha256: string) => {
			const state = items.state(guid)
			if (state === undefined) return -1
			return seenOrder(state.id, order)?.indexOf(sha256.toLowerCase()) ?? items.position(state.id, order, sha256)
		},
		ordered: (guid: string, order: ItemOrder) => {
			const state = items.state(guid)
			return state === undefined ? [] : [...(seenOrder(state.id, order) ?? items.ordered(state.id, order))]
		},
		/** All items in their order, some at once; at first none, where others may have the thread. */
		*rows(guid: string, order: ItemOrder) {
			const state = items.state(guid)
			if (state === undefined) return
			const {id} = state
			const pieces = isBySeen(id, order) ? bySeen(items.hashes(id, order.search), seen, order.descending) : piecesOf(items.ordered(id, order))
			for (const some of pieces) yield withSeen(items.pick(id, some))
		}
	}
}

/** SQLite walks over all rows before a window, so windows far down are counted from the end. */
function fromNearerEnd(items: Readers, list: number, query: ItemQuery, matching: number) {
	const {offset, limit, descending} = query
	if (offset < matching / 2) return items.window(list, query)
	const end = Math.min(offset + limit, matching)
	if (end <= offset) return []
	const turned = {...query, descending: !descending, offset: matching - end, limit: end - offset}
	return items.window(list, turned).toReversed()
}

function* piecesOf(hashes: Iterable<string>) {
	let some: string[] = []
	for (const hash of hashes) {
		if (some.push(hash) < atOnce) continue
		yield some
		some = []
	}
	yield some
}

/** By the number of computers, then by hash: an empty piece for each that is looked up, then all in order. */
function* bySeen(hashes: readonly string[], source: SeenSource, descending: boolean): Generator<readonly string[]> {
	const seen = new Map<string, number>()
	for (const some of piecesOf(hashes)) {
		for (const [hash, {computers}] of source.seen(some)) seen.set(hash, computers)
		yield []
	}
	const computers = (hash: string) => seen.get(hash) ?? 0
	const ordered = hashes.toSorted((a, b) => computers(a) - computers(b) || (a < b ? -1 : 1))
	yield* piecesOf(descending ? ordered.toReversed() : ordered)
}
