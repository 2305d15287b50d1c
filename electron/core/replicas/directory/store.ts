import type {FileList, FileListItem} from '#model/file-list.ts'
import type {Group} from '#model/group.ts'
import type {Policy} from '#model/policy.ts'
import type {ErrorReport} from '#contract/errors.ts'

import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {foreignVersion} from '#core/store/version.ts'
import {makeItems, type Items} from './items.ts'
import {makeMeta, makeSerials, type Meta, type Serials} from './meta.ts'
import {makeObjects, type JsonRecord, type Kind, type Objects, type StoredObject} from './objects.ts'
import {isCollected, snapshotOf, typedReferences, type Snapshot} from './snapshot.ts'
import {type Brief, families, type Family, type ListHead, type Records} from './source.ts'

/** How the last reading of one listing ended. Times are Unix milliseconds. */
export interface FamilyState {
	/** When it was last read to its end. */
	readonly at: number | null
	/** Why the last reading did not come to its end. */
	readonly error: ErrorReport | null
	/** The last reading brought nothing at all. */
	readonly nothing: boolean
}

interface ReadState {
	families: Readonly<Record<Family, FamilyState>>
	/** When the reading of all details began that did not come to its end; `null` when there is none. */
	passAt: number | null
	/** Why the last reading of details was given up. */
	passError: ErrorReport | null
}

const untried: FamilyState = {at: null, error: null, nothing: false}
const noReadState: ReadState = {
	families: {groups: untried, policies: untried, application_blocking: untried, simple_custom_detections: untried},
	passAt: null,
	passError: null
}

/** What was gone for so long is forgotten with the next whole listing, in milliseconds. */
const rememberGoneMs = 30 * 86_400_000

/** The file, and everything that is written into it. Each write is one transaction, and raises the revision. */
export type Store = ReturnType<typeof makeStore>

export function makeStore(database: Database, now: () => number, onWrite: () => void) {
	const objects = makeObjects(database, now)
	const items = makeItems(database)
	const kept = createRecent<Snapshot>(1)
	let objectWrites = 0
	const revision = () => database.get<{value: number}>('SELECT value FROM revision')?.value ?? 0
	const commit = <T>(work: () => T) => {
		const result = database.transaction(() => {
			database.run('UPDATE revision SET value = value + 1')
			return work()
		})
		onWrite()
		return result
	}
	const write = <T>(work: () => T) => {
		objectWrites += 1
		return commit(work)
	}
	const meta = makeMeta(database)
	const serials = makeSerials(database)
	return {
		objects,
		items,
		revision,
		snapshot: () => {
			// Items alone change none of it, and they come by the hundred thousand.
			return kept.remembered(`${objectWrites} ${foreignVersion(database)}`, () => snapshotOf(objects.all()))
		},
		readState: () => readStateOf(meta),
		writeReadState: (change: Partial<ReadState>) => write(() => meta.write('reading', {...readStateOf(meta), ...change})),
		/** Families of lists that were never read to their end. */
		unlisted: () => {
			const {families: states} = readStateOf(meta)
			return families.filter(family => kindOf(family) === 'list' && states[family].at === null)
		},
		nextPass: () =>
			write(() => {
				const pass = (meta.read<number>('pass') ?? 0) + 1
				meta.write('pass', pass)
				return pass
			}),
		...listingWrites({write, objects, items, serials, meta}),
		...detailWrites({write, objects, items, serials, meta}),
		beginItems: (guid: string) => commit(() => items.begin(guid)),
		putItems: (guid: string, page: Records<FileListItem>, pass: number) => commit(() => items.put(guid, page, pass)),
		endItems: (guid: string, pass: number, at: number, how: Parameters<Items['end']>[3]) => commit(() => items.end(guid, pass, at, how)),
		putItem: (guid: string, sha256: string, item: FileListItem | null, {at, changed}: {at: number; changed: boolean}) =>
			commit(() => {
				if (item === null) items.remove(guid, sha256, at, changed)
				else items.add(guid, {...item, sha256}, at, changed)
			})
	}
}

interface Dependencies {
	write: <T>(work: () => T) => T
	objects: Objects
	items: Items
	serials: Serials
	meta: Meta
}

function listingWrites({write, objects, items, serials, meta}: Dependencies) {
	const put = (family: Family, record: Brief & JsonRecord, at: number, pass: number) => {
		const kind = kindOf(family)
		const known = objects.find(kind, record.guid)
		const brief = kind === 'list' ? {...record, type: family} : record
		objects.putBrief(kind, brief, at, pass)
		if (kind !== 'policy') return
		const serial = record['serial_number']
		serials.see(record.guid, serial, at)
		// Its number rises with each edit: what was read before is old.
		if (known !== undefined && isOutdated(objects, known, serial, at)) objects.markStale('policy', record.guid)
	}
	return {
		putBriefs: (family: Family, page: Records<Brief>, pass: number) =>
			write(() => {
				// Records of a listing are checked objects.
				for (const record of page.records) put(family, record as Brief & JsonRecord, page.at, pass)
			}),
		/** The listing ended: what a whole one lacked is gone. */
		endListing: (family: Family, pass: number, state: FamilyState, at: number) =>
			write(() => {
				const before = readStateOf(meta)
				meta.write('reading', {...before, families: {...before.families, [family]: state}})
				if (state.error !== null) return
				const kind = kindOf(family)
				objects.vanishUnlisted(kind, kind === 'list' ? family : null, pass, at)
				objects.forgetGone(at - rememberGoneMs)
				items.forget()
			}),
		putLists: (lists: readonly FileList[], at: number) =>
			write(() => {
				for (const list of lists) {
					if (list.type !== undefined && isCollected(list.type)) objects.putBrief('list', list, at, null)
					else if (list.type !== undefined) objects.putNamed('list', list, at)
				}
			})
	}
}

function detailWrites({write, objects, items, serials}: Dependencies) {
	const nameLists = (policy: JsonRecord, at: number) => {
		for (const list of typedReferences(policy['file_lists'], '')) {
			if (!isCollected(list.type)) objects.putNamed('list', {...list}, at)
		}
	}
	return {
		putGroup: (group: Group, at: number) =>
			write(() => {
				if (group.policies === undefined) return objects.putBrief('group', group, at, null)
				const before = objects.find('group', group.guid)
				objects.putDetail('group', group, at)
				if (before !== undefined) markReached(objects, before, group)
			}),
		putPolicy: (policy: Policy, at: number) =>
			write(() => {
				serials.see(policy.guid, policy.serial_number, at)
				// The record of a listing has no lists.
				if (policy.file_lists === undefined && policy.used_in_groups === undefined) {
					const known = objects.find('policy', policy.guid)
					if (known !== undefined && isOutdated(objects, known, policy.serial_number, at)) objects.markStale('policy', policy.guid)
					return objects.putBrief('policy', policy, at, null)
				}
				objects.putDetail('policy', policy, at)
				nameLists(policy, at)
			}),
		putListHead: (guid: string, head: Omit<ListHead, 'total'>, total: number | null, at: number) =>
			write(() => {
				const type = objects.find('list', guid)?.brief['type']
				objects.putDetail('list', {...head, guid, ...(typeof type === 'string' ? {type} : {})}, at)
				if (total !== null) items.setTotal(guid, total)
			}),
		putProblem: (kind: Kind, guid: string, problem: ErrorReport) => write(() => objects.putProblem(kind, guid, problem)),
		vanish: (kind: Kind, guid: string, at: number) => write(() => objects.vanish(kind, guid, at))
	}
}

/** A policy whose number has risen since its details were read. */
function isOutdated({isNewer}: Objects, {detail, detailAt}: StoredObject, serial: unknown, at: number) {
	return detail !== null && isNewer(at, detailAt ?? 0) && detail['serial_number'] !== serial
}

/** A changed assignment reaches the groups below and the policies that came and went: their details are old now. */
function markReached(objects: Objects, before: StoredObject, after: Group) {
	const had = policiesOf(before.detail)
	const has = policiesOf(after)
	const changed = [...had.symmetricDifference(has)]
	if (before.detail === null || changed.length === 0) return
	for (const guid of changed) objects.markStale('policy', guid)
	for (const {guid, brief, detail} of objects.all().filter(({kind}) => kind === 'group')) {
		const ancestry = (detail ?? brief)['ancestry']
		if (typedReferences(ancestry, '').some(ancestor => ancestor.guid === before.guid)) objects.markStale('group', guid)
	}
}

function policiesOf(group: JsonRecord | null) {
	return new Set(typedReferences(group?.['policies'], '').map(({guid}) => guid))
}

function readStateOf(meta: Meta) {
	return meta.read<ReadState>('reading') ?? noReadState
}

function kindOf(family: Family) {
	return family === 'groups' ? 'group' : family === 'policies' ? 'policy' : 'list'
}
