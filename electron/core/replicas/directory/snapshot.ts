import type {GroupNode, NamedReference} from '#contract/directory.ts'
import {isRecord} from '#shared/is-record.ts'
import type {ErrorReport} from '#contract/errors.ts'
import {fileListTypes} from '#model/file-list.ts'

import type {JsonRecord, StoredObject} from './objects.ts'
import {compareNames} from '#base/name-order.ts'

type TypedReference = NamedReference & {type: string}

interface Known {
	guid: string
	name: string
	readAt: number
	problem: ErrorReport | null
	vanishedAt: number | null
}

/** Its direct parent may be unknown. */
export type KnownGroup = Known & Pick<GroupNode, 'description' | 'source' | 'parent' | 'policies'>

export interface KnownPolicy extends Known {
	readonly product: string
	readonly description: string
	readonly isDefault: boolean
	readonly serial: number | null
	readonly groups: readonly NamedReference[] | null
	readonly fileLists: readonly TypedReference[] | null
	readonly ipLists: readonly TypedReference[] | null
	readonly exclusionSets: readonly NamedReference[] | null
	readonly record: JsonRecord
}

export interface KnownList extends Known {
	readonly type: string
	readonly policies: readonly NamedReference[] | null
}

export interface Snapshot {
	readonly groups: ReadonlyMap<string, KnownGroup>
	readonly policies: ReadonlyMap<string, KnownPolicy>
	readonly lists: ReadonlyMap<string, KnownList>
	/** How many objects there are, and how many have current details. */
	readonly details: {read: number; of: number}
}

/** Where records disagree on a relation, the newest wins. */
export function snapshotOf(objects: readonly StoredObject[]): Snapshot {
	const of = (kind: StoredObject['kind']) => objects.filter(object => object.kind === kind)
	const groups = new Map(of('group').map(object => [object.guid, groupOf(object)]))
	const uses = policyUses(of('group'))
	const policies = new Map(of('policy').map(object => [object.guid, policyOf(object, uses)]))
	const listUses = of('policy').flatMap(listUse)
	const lists = new Map(of('list').map(object => [object.guid, listOf(object, listUses)]))
	const there = objects.filter(({vanishedAt}) => vanishedAt === null)
	const read = there.filter(({detail, stale}) => detail !== null && !stale).length
	return {groups, policies, lists, details: {read, of: there.length}}
}

/** The listing's and the details' fields, the newer ones last. */
function merged({brief, briefAt, detail, detailAt}: StoredObject) {
	if (detail === null) return brief
	return (detailAt ?? 0) >= briefAt ? {...brief, ...detail} : {...detail, ...brief}
}

function knownOf(object: StoredObject, record: JsonRecord): Known {
	const {guid, briefAt, detailAt, problem, vanishedAt} = object
	return {guid, name: textOf(record['name']), readAt: Math.max(briefAt, detailAt ?? 0), problem, vanishedAt}
}

function groupOf(object: StoredObject): KnownGroup {
	const record = merged(object)
	const source = textOf(record['source'])
	const newest = object.detail !== null && (object.detailAt ?? 0) >= object.briefAt ? object.detail : object.brief
	return {
		...knownOf(object, record),
		description: textOf(record['description']),
		source: source === '' ? null : source,
		// A group that became a root has no ancestry, and only the newest record shows that.
		parent: references(newest['ancestry'])[0]?.guid ?? null,
		policies: object.detail === null ? null : groupPolicies(object.detail)
	}
}

function groupPolicies(detail: JsonRecord) {
	return itemsOf(detail['policies']).flatMap(policy =>
		reference(policy).map(named => ({...named, product: textOf(policy['product']), inherited: policy['inherited'] === true}))
	)
}

interface GroupUse {
	group: NamedReference
	at: number
	policies: ReadonlySet<string>
}

function policyUses(groups: readonly StoredObject[]) {
	const uses = groups.flatMap((group): readonly GroupUse[] => {
		const {guid, detail, detailAt, vanishedAt} = group
		if (detail === null || vanishedAt !== null) return []
		const policies = new Set(groupPolicies(detail).map(policy => policy.guid))
		return [{group: {guid, name: textOf(merged(group)['name'])}, at: detailAt ?? 0, policies}]
	})
	return new Map(uses.map(use => [use.group.guid, use]))
}

function policyOf(object: StoredObject, uses: ReadonlyMap<string, GroupUse>): KnownPolicy {
	const record = merged(object)
	const {detail} = object
	const serial = record['serial_number']
	const sets = itemsOf(detail?.['exclusion_sets'])
	// An older form of the record (API reference, "Policies").
	const single = detail?.['exclusion_set']
	const isolation = typedReferences(detail?.['isolation_ip_lists'], 'isolation')
	return {
		...knownOf(object, record),
		product: textOf(record['product']),
		description: textOf(record['description']),
		isDefault: record['default'] === true,
		serial: typeof serial === 'number' ? serial : null,
		groups: detail === null ? null : groupsUsing(object, detail, uses),
		fileLists: detail === null ? null : typedReferences(detail['file_lists'], ''),
		ipLists: detail === null ? null : [...typedReferences(detail['ip_lists'], ''), ...isolation],
		exclusionSets: detail === null ? null : references(sets.length === 0 && isRecord(single) ? [single] : sets),
		record
	}
}

function groupsUsing({guid, detailAt}: StoredObject, detail: JsonRecord, uses: ReadonlyMap<string, GroupUse>) {
	const from = detailAt ?? 0
	const told = references(detail['used_in_groups']).filter(group => (uses.get(group.guid)?.at ?? -1) < from)
	const found = [...uses.values()].flatMap(({group, at, policies}) => (at >= from && policies.has(guid) ? group : []))
	return [...told, ...found].toSorted(byName)
}

/** Lists that an existing policy uses; `at` is `null` while its details are unread. */
interface ListUse {
	policy: NamedReference
	at: number | null
	lists: ReadonlySet<string>
}

function listUse(object: StoredObject): readonly ListUse[] {
	const {guid, detail, detailAt, vanishedAt} = object
	if (vanishedAt !== null) return []
	const lists = new Set(references(detail?.['file_lists']).map(list => list.guid))
	const policy = {guid, name: textOf(merged(object)['name'])}
	return [{policy, at: detail === null ? null : (detailAt ?? 0), lists}]
}

function listOf(object: StoredObject, uses: readonly ListUse[]): KnownList {
	const record = merged(object)
	return {...knownOf(object, record), type: textOf(object.brief['type'] ?? record['type']), policies: policiesUsing(object, uses)}
}

/** `null` unless the list itself or the details of every policy are known. */
function policiesUsing({guid, detail, detailAt}: StoredObject, uses: readonly ListUse[]) {
	const newer = uses.filter(({at}) => at !== null && at >= (detailAt ?? 0))
	if (detail === null && newer.length < uses.length) return null
	const found = newer.filter(({lists}) => lists.has(guid)).map(({policy}) => policy)
	if (detail === null) return found.toSorted(byName)
	const decided = new Set(newer.map(({policy}) => policy.guid))
	const told = references(detail['policies']).filter(policy => !decided.has(policy.guid))
	return [...told, ...found].toSorted(byName)
}

/** Whether the service has a collection of these lists; others are only named by policies (API reference, "File lists"). */
export function isCollected(type: string) {
	return fileListTypes.some(known => known === type)
}

export function typedReferences(value: unknown, type: string): readonly TypedReference[] {
	return itemsOf(value).flatMap(item =>
		reference(item).map(named => ({...named, type: textOf(item['type']) === '' ? type : textOf(item['type'])}))
	)
}

function references(value: unknown) {
	return itemsOf(value).flatMap(reference)
}

function reference(item: JsonRecord) {
	const guid = textOf(item['guid']).toLowerCase()
	return guid === '' ? [] : [{guid, name: textOf(item['name'])}]
}

function itemsOf(value: unknown) {
	return Array.isArray(value) ? value.filter(isRecord) : []
}

function textOf(value: unknown) {
	return typeof value === 'string' ? value : ''
}

export function byName(a: NamedReference, b: NamedReference): number {
	return compareNames(a.name, b.name) || (a.guid < b.guid ? -1 : Number(a.guid > b.guid))
}
