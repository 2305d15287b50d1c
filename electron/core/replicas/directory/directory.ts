import type {Clock} from '#base/ports.ts'
import {checkGuid} from '#core/service/api/checks.ts'
import {commonTables, openCacheFile} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'
import {foreignVersion} from '#core/store/version.ts'
import type {FileListItemRow, PolicyDetail} from '#contract/directory.ts'
import {CordonError, invalidArgument} from '#contract/errors.ts'
import {csvHead, csvRow, type CsvColumns} from '#text/csv.ts'
import {makeChanges} from '../kit/changes.ts'
import {type Exports, makeExports} from '../kit/exports.ts'
import {makeAttention} from './attention.ts'
import {coverageOf, waysOf} from './coverage.ts'
import {makeItems} from './items.ts'
import {makeItemWindows} from './item-windows.ts'
import {serialsOf} from './meta.ts'
import {previewOf} from './preview.ts'
import {makeRefreshing, type Refreshing} from './refreshing.ts'
import {itemRow, listRows, policyRows} from './rows.ts'
import type {DirectorySource} from './source.ts'
import type {KnownList} from './snapshot.ts'
import {makeStore, type Store} from './store.ts'
import {treeOf} from './tree.ts'
import type {ComputerSource, DirectoryLearn, ItemOrder, ItemQuery, SeenSource} from './types.ts'

interface DirectoryOptions {
	/** The SQLite file, such as `<profile>/directory/<connection>.db`; its folder is created. */
	path: string
	clock: Clock
	source: DirectorySource
	computers: ComputerSource
	seen: SeenSource
	onTrouble: (message: string, error: unknown) => void
}

/** During a long reading, changes are announced at most this often, in milliseconds. */
const gapMs = 200

/** The local copy of one connection's groups, policies and file lists: one SQLite file. */
export type Directory = ReturnType<typeof openDirectory>

/** Opens one connection's copy, recreated when damaged or of another schema. Close it with `stop()`. */
export function openDirectory(options: DirectoryOptions) {
	const {path, clock, source} = options
	const database = openDirectoryFile(path)
	const changes = makeChanges(
		clock,
		() => foreignVersion(database),
		() => gapMs
	)
	const changed = () => changes.touch(null)
	const store = makeStore(database, () => options.clock.now(), changed)
	const refreshing = makeRefreshing({store, source, clock}, changed)
	const attention = makeAttention({clock, source, refreshing, onTrouble: options.onTrouble})
	const exports = makeExports(database)
	const deps: Dependencies = {options, database, store, refreshing, exports}
	return {
		state: refreshing.state,
		...views(deps),
		...itemViews(deps),
		...readings(deps),
		...learning(store),
		nameOf: (given: string) => {
			const [guid, {lists, policies, groups}] = [given.toLowerCase(), store.snapshot()]
			return (lists.get(guid) ?? policies.get(guid) ?? groups.get(guid))?.name
		},
		/** Somebody looks: what is old or has not been read yet is read in the background, as far as the quota has room for it. */
		look: attention.look,
		onChange: (listener: () => void) => changes.listen(() => listener()),
		stop: async () => {
			changes.stop()
			exports.stop()
			await Promise.all([attention.stop(), refreshing.stop()])
			database.close()
		}
	}
}

interface Dependencies {
	options: DirectoryOptions
	database: Database
	store: Store
	refreshing: Refreshing
	exports: Exports
}

function views(deps: Dependencies) {
	const {options, store, refreshing} = deps
	const {computers} = options
	return {
		tree: () => ({state: refreshing.state(), groups: nodes(deps)}),
		policies: () => ({state: refreshing.state(), policies: policyRows(store.snapshot(), computers.cells())}),
		/** Policies of a group as its details told them last, and when that was asked, in Unix milliseconds; `null`: not known. */
		policiesOf: (guid: string) => policiesOf(store, guid.toLowerCase()),
		policy: (guid: string) => policyDetail(deps, guid),
		/** Which policies the computers of each group report, most computers first. */
		ways: () => waysOf(store.snapshot(), computers.cells()),
		coverage: (guid: string) => {
			const snapshot = store.snapshot()
			const list = snapshot.lists.get(guid.toLowerCase())
			if (list === undefined) throw unknownList()
			return coverageOf(snapshot, list, computers.cells(), computers.complete())
		}
	}
}

/** Details that later information contradicts do not count. */
function policiesOf({objects, snapshot}: Store, guid: string) {
	const stored = objects.find('group', guid)
	const policies = snapshot().groups.get(guid)?.policies ?? null
	if (policies === null || stored === undefined || stored.detailAt === null || stored.stale) return null
	return {policies, at: stored.detailAt}
}

function nodes({options, store}: Dependencies) {
	return treeOf(store.snapshot().groups, options.computers.cells(), options.clock.now())
}

function policyDetail({options, database, store}: Dependencies, given: string): PolicyDetail | null {
	const guid = given.toLowerCase()
	const snapshot = store.snapshot()
	const row = policyRows(snapshot, options.computers.cells()).find(policy => policy.guid === guid)
	if (row === undefined) return null
	return {row, record: snapshot.policies.get(guid)?.record ?? {}, serials: serialsOf(database, guid)}
}

function itemViews(deps: Dependencies) {
	const {options, store, refreshing} = deps
	const windows = makeItemWindows(store.items, options.seen, () => store.revision())
	return {
		fileLists: () => ({state: refreshing.state(), lists: rowsOfLists(deps), unlisted: store.unlisted()}),
		/** Throws `not_found` for a list that has not been read yet. */
		items: (guid: string, query: ItemQuery) => {
			const list = rowOfList(deps, guid)
			return {list, ...windows.window(guid, query)}
		},
		ages: (guid: string) => store.items.ages(guid),
		/** `-1` for an item that does not match. */
		position: (guid: string, order: ItemOrder, sha256: string) => windows.position(guid, order, sha256),
		/** Throws `not_found` for a list that has not been read yet. */
		exportItems: async function* (guid: string, query: ItemOrder & {format: 'csv' | 'json'}, signal?: AbortSignal) {
			const list = rowOfList(deps, guid)
			return {list, cut: yield* exportItems({exports: deps.exports, seen: options.seen}, guid, query, signal)}
		},
		holding: (sha256: string) => holdingOf(deps, sha256, seenOf(options.seen, sha256)),
		/** Which of these hashes (lower case) are on which lists, as far as their items were read. */
		holdings: (hashes: readonly string[]) => store.items.holdings(hashes),
		/** All hashes of a list that were read, in order; none for a list that is not known. */
		hashesOf: (guid: string) => windows.ordered(guid, {search: '', sort: 'sha256', descending: false}),
		hash: (sha256: string) => {
			const seen = seenOf(options.seen, sha256)
			return {sha256: sha256.toLowerCase(), holding: holdingOf(deps, sha256, seen), seen}
		}
	}
}

function seenOf(source: SeenSource, sha256: string) {
	const hash = sha256.toLowerCase()
	return source.seen([hash]).get(hash) ?? {computers: 0, names: [], dispositions: []}
}

function holdingOf(deps: Dependencies, sha256: string, seen: FileListItemRow['seen']) {
	const held = deps.store.items.holding(sha256)
	if (held.length === 0) return []
	const {lists: all} = deps.store.snapshot()
	const lists = new Map(rowsOfLists(deps, new Set(held.flatMap(({guid}) => all.get(guid) ?? []))).map(list => [list.guid, list]))
	const known = new Map([[sha256.toLowerCase(), seen]])
	return held.flatMap(item => {
		const list = lists.get(item.guid)
		return list === undefined ? [] : [{list, item: itemRow(item, known)}]
	})
}

function rowsOfLists({options, store, refreshing}: Dependencies, lists: Iterable<KnownList> = store.snapshot().lists.values()) {
	return listRows(store.snapshot(), lists, options.computers.cells(), guid => ({
		state: store.items.state(guid),
		reading: refreshing.itemsProgress(guid)
	}))
}

function rowOfList(deps: Dependencies, guid: string) {
	const list = deps.store.snapshot().lists.get(guid.toLowerCase())
	const [row] = list === undefined ? [] : rowsOfLists(deps, [list])
	if (row === undefined) throw unknownList()
	return row
}

function unknownList() {
	return new CordonError('not_found', 'No file list of this GUID was read yet.')
}

function readings(deps: Dependencies) {
	const {options, refreshing} = deps
	return {
		/**
		 * Reads the listings again, and with `details` every object, or only what a reading failed to get. Resolves when it ended, whatever came of it; one at a
		 * time, a second call joins the first. Rejects with `cancelled`, or when the file cannot be written.
		 */
		refresh: async ({details}: {details: boolean | 'lacking'}, signal?: AbortSignal) => {
			await refreshing.listings(signal)
			if (details !== false && refreshing.state().phase !== 'failed') await refreshing.details(details === true ? 'all' : details, signal)
			return refreshing.state()
		},
		/** Reads one object's details again; an object that is gone is marked in its row. Rejects with what else went wrong. */
		refreshGroup: async (given: string, signal?: AbortSignal) => {
			const guid = checkGuid('guid', given)
			await refreshing.one('group', guid, signal)
			return nodes(deps).find(node => node.guid === guid) ?? null
		},
		refreshPolicy: async (given: string, signal?: AbortSignal) => {
			const guid = checkGuid('guid', given)
			await refreshing.one('policy', guid, signal)
			return policyDetail(deps, guid)
		},
		/** Reads all items of a list; what could not be read is told by the row. Rejects with `cancelled`. */
		refreshItems: async (given: string, signal?: AbortSignal) => {
			const guid = checkGuid('guid', given)
			await refreshing.items(guid, signal)
			return rowOfList(deps, guid)
		},
		/** Reads what it lacks of the group and the policies, and nothing else. */
		preview: (given: string, policies: Readonly<Record<string, string>>, signal?: AbortSignal) =>
			preview(deps, checkGuid('guid', given), policies, signal),
		/** Policy as XML text. Throws what the service answers. */
		xml: async (given: string, signal?: AbortSignal) => {
			const guid = checkGuid('guid', given)
			return {text: await options.source.xml(guid, signal ?? new AbortController().signal)}
		}
	}
}

async function preview(deps: Dependencies, guid: string, policies: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
	const {options, store, refreshing} = deps
	const wanted = new Map(Object.entries(policies).map(([product, policy]) => [product, checkGuid(product, policy)]))
	const readIfMissing = async (kind: 'group' | 'policy', object: string) => {
		const known = store.objects.find(kind, object)
		if (known === undefined || known.detail === null || known.stale) await refreshing.one(kind, object, signal)
	}
	await readIfMissing('group', guid)
	const group = store.snapshot().groups.get(guid)
	if (group === undefined) throw new CordonError('not_found', 'The service has no such group.')
	const now = (group.policies ?? []).filter(({product}) => wanted.has(product)).map(policy => policy.guid)
	for (const policy of new Set([...now, ...wanted.values()])) await readIfMissing('policy', policy)
	for (const [product, policy] of wanted) checkPolicy(store, product, policy)
	return previewOf(store.snapshot(), nodes(deps), options.computers.cells(), guid, wanted)
}

/** Throws for a deleted policy and for one of another product. */
function checkPolicy(store: Store, product: string, guid: string) {
	const policy = store.snapshot().policies.get(guid)
	if (policy === undefined || policy.vanishedAt !== null)
		throw new CordonError('not_found', 'The service has no such policy; it may have been deleted elsewhere.')
	if (policy.product === product) return
	const text = `The policy ${policy.name} is made for ${policy.product}, not for ${product}.`
	throw invalidArgument(text, product)
}

function learning(store: Store): DirectoryLearn {
	return {
		observeGroups: (groups, at) => groups.forEach(group => store.putGroup(group, Math.floor(at))),
		observePolicies: (policies, at) => policies.forEach(policy => store.putPolicy(policy, Math.floor(at))),
		observeFileLists: (lists, at) => store.putLists(lists, Math.floor(at)),
		observeFileListItem: (list, sha256, item, {at, changed}) => store.putItem(list, sha256, item, {at: Math.floor(at), changed})
	}
}

/** Increase with every change below. The file is a cache: one of another version is recreated. */
const schemaVersion = 2

/**
 * Times are Unix milliseconds, GUIDs and hashes lower case, records are the service's own as JSON text. `pass` is the number
 * of the reading that last gave a row: rows missing from a complete reading are gone. Two more indexes of `item` hold the
 * folded note beside the order, so that a search reads only an index. `stored` saves
 * counting: ten million items take seconds.
 */
const tables = `
CREATE TABLE object (
  kind TEXT NOT NULL, guid TEXT NOT NULL, listed INTEGER NOT NULL, pass INTEGER NOT NULL,
  brief TEXT NOT NULL, brief_at INTEGER NOT NULL,
  detail TEXT, detail_at INTEGER, stale INTEGER NOT NULL DEFAULT 0,
  problem TEXT, vanished_at INTEGER,
  PRIMARY KEY (kind, guid)
) STRICT, WITHOUT ROWID;
CREATE TABLE serial (
  policy TEXT NOT NULL, seen_at INTEGER NOT NULL, serial INTEGER NOT NULL, PRIMARY KEY (policy, seen_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE item_list (
  id INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, total INTEGER, read_at INTEGER, whole_at INTEGER,
  pass INTEGER NOT NULL DEFAULT 0, problem TEXT, stored INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE item (
  list INTEGER NOT NULL, sha256 TEXT NOT NULL, description TEXT NOT NULL, source TEXT NOT NULL,
  note_fold TEXT NOT NULL, source_fold TEXT NOT NULL, first_seen INTEGER, pass INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (list, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_note ON item (list, note_fold, sha256);
CREATE INDEX item_source ON item (list, source_fold, sha256, note_fold);
CREATE INDEX item_hash ON item (sha256);
${commonTables}`

/** Opens the file. Recreates a damaged one or one of another schema: the service still has the data. */
function openDirectoryFile(path: string) {
	// Hashes come in no order, so each page of them touches most of the file, and an early checkpoint would write it all.
	const tune = 'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 20000; PRAGMA journal_size_limit = 16777216'
	return openCacheFile({path, schemaVersion, tables, tune})
}

/** The largest export, in characters. */
const mostText = 32 * 2 ** 20

const cells: CsvColumns<readonly [row: FileListItemRow]> = [
	['sha256', row => row.sha256],
	['note', row => row.description],
	['source', row => row.source],
	['first_seen_here', row => row.firstSeen],
	['seen_on_computers', row => row.seen.computers],
	['names', row => row.seen.names.join(' ')],
	['dispositions', row => row.seen.dispositions.join(' ')]
]

/**
 * All matching items in their order, and beside each what local events say of it when its line is written. CSV has a header
 * line, and an apostrophe before cells that a spreadsheet would run; JSON is one array.
 */
async function* exportItems(
	{exports, seen}: {exports: Exports; seen: SeenSource},
	guid: string,
	{format, ...order}: ItemOrder & {format: 'csv' | 'json'},
	signal: AbortSignal | undefined
): AsyncGenerator<string, boolean> {
	const isJson = format === 'json'
	const texts = function* (database: Database) {
		yield isJson ? '[\n' : csvHead(cells)
		let between = ''
		for (const rows of makeItemWindows(makeItems(database), seen, () => 0).rows(guid, order)) {
			// Others have the thread in between.
			yield ''
			for (const row of rows) {
				yield isJson ? between + JSON.stringify(row) : csvRow(cells, row)
				between = ',\n'
			}
		}
	}
	const isCut = yield* exports.read(texts, mostText, signal)
	if (isJson) yield '\n]\n'
	return isCut
}
