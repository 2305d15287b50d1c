import {join} from 'node:path'

import {fileFolder} from '#base/testing/folder.ts'
import type {Database} from '#core/store/database.ts'
import {countUpTo} from './scan.ts'
import {openEventFile} from './schema.ts'
import {tellersOf} from './store.ts'
import {fillEvents} from './testing/fill.ts'
import {scopeIn} from './testing/scope.ts'

const folder = fileFolder()
let database: Database

beforeAll(() => {
	const path = join(folder, 'one.db')
	fillEvents(path, {count: 1500, days: 30})
	database = openEventFile(path)
})

afterAll(() => database.close())

const scope = (filter: string) => scopeIn(database, filter)

function guidsOfOldest() {
	const sql = 'SELECT DISTINCT guid FROM (SELECT guid FROM event WHERE guid IS NOT NULL ORDER BY id LIMIT 80)'
	return database.all<{guid: string}>(sql).map(({guid}) => guid)
}

const nobody = '00000000-0000-4000-8000-000000000000'

// This small limit makes most computers need their own query.
test.each(['type:scan', 'user:keller', 'file:winword', 'nothing-like-it'])('computers that report %s', filter => {
	const guids = [...guidsOfOldest(), nobody]
	expect(guids.length).toBeGreaterThan(20)
	const one = guids.filter(guid => countUpTo(database, scope(`${filter} guid=${guid}`), 1) > 0).toSorted()
	const shouted = guids.map(guid => guid.toUpperCase())
	for (const looked of [1, 50, 10_000]) expect([...tellersOf(database, scope, filter, shouted, looked)].toSorted()).toEqual(one)
})
