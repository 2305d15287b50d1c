import type {CompletionSource} from '#shared/commands/define.ts'
import type {FoundObject, Suggestion} from '#contract/contract.ts'
import {fold} from '#model/fold.ts'
import type {GroupRow} from '#model/group.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import type {LabelReader} from '#core/service/labels/labels.ts'
import type {Database} from '#core/store/database.ts'
import {asInNumbers, listOf, macDigits, type StoredComputer} from './columns.ts'
import {readVanished, type Queries} from './queries.ts'
import type {Summary} from './summary.ts'
import type {Texts} from './texts.ts'

interface LookupDependencies {
	database: Database
	queries: Queries
	texts: Texts
	summary: () => Summary
	labels: LabelReader
}

/** Completion of values and the palette's search. */
export function makeLookup({database, queries, texts, summary, labels}: LookupDependencies) {
	return {
		suggest: (source: CompletionSource, prefix: string, limit: number) => {
			switch (source) {
				case 'computer':
					return suggestComputers(database, queries, prefix, limit)
				case 'hostname':
					return suggestNames(database, prefix, limit)
				case 'group':
					return ranked(summary().groups().rows(), prefix, limit)
				case 'policy':
					return ranked(summary().policies(), prefix, limit)
				// The local copy does not hold them.
				case 'file_list':
				case 'event_type':
					return []
				case 'tag':
					return suggestTags(labels, prefix, limit)
			}
		},
		find: (text: string, limit: number) => {
			const typed = fold(text.trim())
			if (typed === '') return []
			const computers = queries.stored(findIds({database, texts}, typed, limit)).map(row => foundComputer(row, typed))
			const groups = findGroups(summary().groups().rows(), typed, limit)
			return [...computers, ...groups]
				.toSorted((a, b) => a.rank - b.rank)
				.slice(0, limit)
				.map(({object}) => object)
		},
		/** GUIDs of the computers with exactly that name, ignoring case. Uses an index: a job may look up 10,000. */
		named: (hostname: string) =>
			database
				.all<{guid: string}>('SELECT guid FROM computer WHERE host_fold = ? AND vanished_at IS NULL ORDER BY guid', fold(hostname))
				.map(({guid}) => guid)
	}
}

/** The end of everything that begins with a text. */
const last = '\u{10ffff}'

function suggestNames(database: Database, prefix: string, limit: number): readonly Suggestion[] {
	const typed = fold(prefix)
	const names = database.all<{hostname: string}>(
		`SELECT hostname FROM computer WHERE vanished_at IS NULL AND host_fold >= ? AND host_fold < ? AND host_fold <> ''
     GROUP BY host_fold ORDER BY host_fold LIMIT ?`,
		typed,
		typed + last,
		limit
	)
	return names.map(({hostname}) => ({value: hostname, label: hostname}))
}

function suggestTags(labels: LabelReader, prefix: string, limit: number) {
	const typed = fold(prefix)
	return labels
		.all('tag')
		.filter(({value}) => fold(value).includes(typed))
		.slice(0, limit)
		.map(({value}) => ({value, label: value}))
}

/** By name, then by the beginning of a GUID. */
function suggestComputers(database: Database, queries: Queries, prefix: string, limit: number): readonly Suggestion[] {
	const typed = fold(prefix)
	const ids = [...idsByName(database, typed, limit), ...idsByGuid(database, typed, limit)]
	return queries
		.stored([...new Set(ids)].slice(0, limit))
		.map(({guid, hostname, group_name: group}) => ({value: guid, name: hostname, label: group === '' ? hostname : `${hostname} · ${group}`}))
}

/** Names that begin so first, then those that hold it, then GUIDs that begin so. */
function ranked(all: readonly {guid: string; name: string}[], prefix: string, limit: number): readonly Suggestion[] {
	const typed = fold(prefix)
	return best(all, limit, ({name, guid}) => Math.min(rankOf(fold(name), typed), fold(guid).startsWith(typed) ? 2 : none)).map(
		({item: {guid, name}}) => ({value: guid, label: name})
	)
}

/** The items with the lowest ranks, in their order. */
function best<Item>(all: readonly Item[], limit: number, rank: (item: Item) => number) {
	return all
		.map(item => ({item, rank: rank(item)}))
		.filter(entry => entry.rank < none)
		.toSorted((a, b) => a.rank - b.rank)
		.slice(0, limit)
}

const none = 3

/** 0 the same, 1 begins so, 2 holds it, 3 neither. */
function rankOf(text: string, typed: string) {
	if (text === typed) return 0
	if (text.startsWith(typed)) return 1
	return text.includes(typed) ? 2 : none
}

/** Names come first; each further way is gone only while there is too little. */
function findIds({database, texts}: Pick<LookupDependencies, 'database' | 'texts'>, typed: string, limit: number) {
	const gone = readVanished(database)
	const digits = /^[0-9a-f]{2}([-:.]?[0-9a-f]{0,4})*$/.test(typed) ? macDigits(typed) : typed
	const numbers = asInNumbers.test(typed) ? [...new Set([typed, digits])] : []
	const ways = [
		() => idsByName(database, typed, limit),
		() => texts.named(typed, limit, gone),
		...numbers.map(number => () => texts.addressed(number, limit, gone)),
		() => texts.holding([[typed]], limit, gone)
	]
	const ids = new Set<number>()
	for (const way of ways) if (ids.size < limit) for (const id of way()) ids.add(id)
	return [...ids]
}

interface Id {
	id: number
}

function idsByName(database: Database, typed: string, limit: number) {
	const sql = `SELECT id FROM computer WHERE vanished_at IS NULL AND host_fold >= ? AND host_fold < ?
    ORDER BY host_fold LIMIT ?`
	return database.all<Id>(sql, typed, typed + last, limit).map(row => row.id)
}

function idsByGuid(database: Database, typed: string, limit: number) {
	const sql = 'SELECT id FROM computer WHERE guid >= ? AND guid < ? AND vanished_at IS NULL ORDER BY guid LIMIT ?'
	return database.all<Id>(sql, typed, typed + last, limit).map(row => row.id)
}

interface Found {
	rank: number
	object: FoundObject
}

function foundComputer(row: StoredComputer, typed: string): Found {
	const digits = macDigits(typed)
	const isSame =
		[fold(row.guid), ...listOf(row.ips).map(fold)].includes(typed) || (digits !== '' && listOf(row.macs).some(mac => macDigits(mac) === digits))
	// Only the name is shown.
	const rank = isSame ? 0 : rankOf(row.host_fold, typed)
	const detail = [listOf(row.ips)[0] ?? '', row.group_name, row.os].filter(part => part !== '').join(' · ')
	return {rank, object: {kind: 'computer', guid: row.guid, label: row.hostname, detail}}
}

function findGroups(groups: readonly GroupRow[], typed: string, limit: number): readonly Found[] {
	return best(groups, limit, ({name, guid}) => Math.min(rankOf(fold(name), typed), rankOf(fold(guid), typed))).map(({item: group, rank}) => ({
		rank,
		object: {kind: 'group', guid: group.guid, label: group.name, detail: groupDetail(group)}
	}))
}

function groupDetail(group: GroupRow) {
	const parents = group.path.slice(0, -1).join(' › ')
	const computers = `${counted(group.computers, nouns.computer)}`
	return parents === '' ? computers : `${parents} · ${computers}`
}
