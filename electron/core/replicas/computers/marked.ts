/** Which computers a selection should know of before anything is done with it. */
import type {ComputerMarks} from '#contract/computer-list.ts'
import {fold} from '#model/fold.ts'
import {isBelow, type GroupRow} from '#model/group.ts'
import type {GuardRules} from '#model/guard.ts'

import type {LabelReader} from '#core/service/labels/labels.ts'
import {nameTest} from '#base/name-pattern.ts'
import type {Database, Param} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {glanceRanks} from './columns.ts'

type Protection = GuardRules['protected']

interface MarkDependencies {
	database: Database
	labels: LabelReader
	groups: () => readonly GroupRow[]
	revision: () => number
}

export function makeMarks(deps: MarkDependencies) {
	const {database, labels, revision} = deps
	const kept = createRecent<ComputerMarks>(1)
	return {
		/** GUIDs of listed computers that these rules protect, and of those that are isolated; looked at once for each revision. */
		marks: (protection: Protection) => {
			const of = JSON.stringify([revision(), labels.revision(), protection])
			return kept.remembered(of, () => ({
				protected: protectedOf(deps, protection),
				isolated: guidsOf(database, 'rank = ?', glanceRanks.isolated)
			}))
		}
	}
}

/** The same as `protectedBy` of each row, by the indexes: nobody waits for a walk over 100,000 wide rows. */
function protectedOf({database, labels, groups}: MarkDependencies, rules: Protection) {
	const found = new Set<string>()
	const add = (guids: readonly string[]) => guids.forEach(guid => found.add(guid))
	if (rules.guids.length > 0) add(guidsOf(database, `guid IN ${listed}`, spellings(rules.guids)))
	for (const pattern of rules.names) add(namedLike(database, pattern))
	if (rules.groups.length > 0) add(inGroups(database, withThoseBelow(groups(), rules.groups)))
	for (const {value, guids} of labels.all('role')) if (rules.roles.some(role => role === value)) add(guids)
	return [...found]
}

/** The rules hold small letters; a comparison without regard to them would walk over all GUIDs. */
function spellings(guids: readonly string[]) {
	return JSON.stringify(guids.flatMap(guid => [guid.toLowerCase(), guid.toUpperCase()]))
}

const listed = '(SELECT value FROM json_each(?))'

function guidsOf(database: Database, where: string, ...params: readonly Param[]) {
	const sql = `SELECT json_group_array(guid) AS guids FROM computer WHERE vanished_at IS NULL AND ${where}`
	// Made by SQLite from a text column.
	return JSON.parse(database.get<{guids: string}>(sql, ...params)?.guids ?? '[]') as readonly string[]
}

/** The index of the folded names gives who may be meant; the rule itself decides. */
function namedLike(database: Database, pattern: string) {
	const form = fold(pattern.trim()).replaceAll('[', '[[]')
	const rows = database.all<{guid: string; hostname: string}>(
		`SELECT guid, hostname FROM computer WHERE id IN (
       SELECT id FROM computer INDEXED BY computer_host WHERE vanished_at IS NULL AND host_fold GLOB ?)`,
		form
	)
	const matches = nameTest(pattern)
	return rows.filter(({guid, hostname}) => matches(hostname === '' ? guid : hostname)).map(({guid}) => guid)
}

function withThoseBelow(groups: readonly GroupRow[], wanted: readonly string[]) {
	const named = new Set(wanted.map(guid => guid.toLowerCase()))
	const tops = groups.filter(({guid}) => named.has(guid.toLowerCase()))
	const below = groups.filter(group => tops.some(top => isBelow(group, top)))
	return [...named, ...below.map(({guid}) => guid.toLowerCase())]
}

/** By the names that these groups have in the rows: the index is over names. */
function inGroups(database: Database, guids: readonly string[]) {
	const wanted = JSON.stringify(guids)
	const names = database
		.all<{name: string}>(`SELECT DISTINCT group_name AS name FROM member WHERE n > 0 AND lower(group_guid) IN ${listed}`, wanted)
		.map(({name}) => fold(name))
	const where = `group_fold IN ${listed} AND lower(group_guid) IN ${listed}`
	return guidsOf(database, where, JSON.stringify(names), wanted)
}
