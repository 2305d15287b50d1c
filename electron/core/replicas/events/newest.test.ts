/** The cache of a search, compared with the index itself. */
import {join} from 'node:path'

import {oddKey} from '#model/odd.ts'
import {testFolder} from '#base/testing/folder.ts'
import type {Database} from '#core/store/database.ts'
import {makeNewest, type Newest} from './newest.ts'
import {makeEventQueries} from './queries.ts'
import {rowsOf} from './rows.ts'
import {countUpTo, idsOf} from './scan.ts'
import {openEventFile} from './schema.ts'
import {fillEvents} from './testing/fill.ts'
import {scopeIn} from './testing/scope.ts'
import {makeTimeline} from './timeline.ts'
import {makeEventWriter} from './writer.ts'

let folder: string
let database: Database
let kept: Newest

const readRevision = () => database.get<{value: number}>('SELECT value FROM revision')?.value ?? 0

beforeEach(() => {
	folder = testFolder()
	const path = join(folder, 'one.db')
	fillEvents(path, {count: 1500, days: 30})
	database = openEventFile(path)
	kept = makeNewest(database, readRevision)
})

afterEach(() => database.close())

const scope = (filter: string) => scopeIn(database, filter)

const filters = ['', 'keller', 'm.keller', 'user:keller file:winword', 'hash:66d6', 'nothing-like-it']
const limits = {rows: 5, values: 40, most: 100}

const answers = () =>
	filters.map(filter => {
		const {rows, matching, values} = kept.newest(scope(filter), limits)
		return {rows, matching, values: values.map(({key}) => key), counted: kept.count(scope(filter), 30)}
	})

/** Queries the index itself. */
const plainly = () =>
	filters.map(filter => {
		const ids = idsOf(database, scope(filter), 0, 101)
		const counted = countUpTo(database, scope(filter), 31)
		return {
			rows: rowsOf(database, ids.slice(0, 5)),
			matching: {count: Math.min(ids.length, 100), exact: ids.length <= 100},
			values: rowsOf(database, ids.slice(0, 40)).map(({key}) => key),
			counted: {count: Math.min(counted, 30), exact: counted <= 30}
		}
	})

test('a file from before odd records were marked gets the mark', () => {
	database.exec('ALTER TABLE event DROP COLUMN odd')
	database.close()
	database = openEventFile(join(folder, 'one.db'))
	const odd = {id: 1, timestamp: 2_000_000_000, [oddKey]: {fields: ['severity'], raw: '{}'}}
	makeEventWriter(database).put({records: [odd], readAt: 0, span: null, reading: null})
	expect(rowsOf(database, idsOf(database, scope(''), 0, 2)).map(row => row.odd)).toEqual([true, false])
})

test('the cached answer equals that of the index, even after another handle changed the events', () => {
	expect(answers()).toEqual(plainly())
	expect(answers()).toEqual(plainly())
	const other = openEventFile(join(folder, 'one.db'))
	try {
		const {removed} = makeEventWriter(other).trim({before: 0, most: 60, atOnce: 2000})
		expect(removed).toBe(1440)
	} finally {
		other.close()
	}
	expect(answers()).toEqual(plainly())
})

test('a common prefix is counted less far than a rare one', () => {
	expect(scope('user:keller').slow).toBe(true)
	expect(scope('file:winword').slow).toBe(false)
})

test('detections are grouped anew by their own events only, and then as from the file', async () => {
	const queries = () => makeEventQueries(database, makeTimeline(database), () => expect.fail())
	const {groups} = queries()
	const {put, trim} = makeEventWriter(database)
	const arrive = (event: object) => put({records: [{id: 1, timestamp: 2_000_000_000, ...event}], readAt: 0, span: null, reading: null})
	const reads = vi.spyOn(database, 'all')
	await queries().groups()
	const once = reads.mock.calls.length
	const [before] = await Promise.all([groups(), groups()])
	expect(reads).toHaveBeenCalledTimes(2 * once)
	arrive({})
	expect(await groups()).toBe(before)
	const open = database.get<{detection_id: string}>("SELECT detection_id FROM detection WHERE outcome = 'failed'")
	arrive({...open, id: 2, event_type_id: 553_648_143})
	const after = await groups()
	expect(after).not.toEqual(before)
	expect(after).toEqual(await queries().groups())
	trim({before: 0, most: 60, atOnce: 2000})
	expect(await groups()).toEqual(await queries().groups())
})
