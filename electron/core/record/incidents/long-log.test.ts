/** What a log of very many entries needs: windows anywhere, threads of old entries, an index that catches up by itself. */
import {join} from 'node:path'

import type {LogEntry} from '#model/incident.ts'

import {watchPlans} from '#core/store/testing/plans.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {turns, until} from '#base/testing/until.ts'
import {logOf, noteOf, rawFile} from './testing/log-of.ts'
import {inThread} from '#core/store/async.ts'
import {type FullFilter, locate} from './locate.ts'
import {openLogFile} from './log-file.ts'
import {incidentLog} from './log.ts'
import {openSqliteLog} from './sqlite-log.ts'
import type {IncidentLog} from './types.ts'

let world: World
let log: IncidentLog

beforeEach(() => {
	world = createWorld()
	log = logOf(world)
})

const note = async (message: string, about: string | null = null) => await log.append(noteOf(message, {about}))

const indexed = () => Number(rawFile(world, 'incidents-search.db').prepare('SELECT seq FROM progress').get()?.['seq'])

test('the first search does not wait for the index: it answers row by row, and the index is filled behind it', async () => {
	await Promise.all(Array.from({length: 1100}, (_, index) => note(`seen on FIN-LT-${index}`)))
	const asked = {text: 'fin-lt-7', limit: 1000}
	const first = await log.query(asked)
	expect(first.matching).toBe(111)
	expect(indexed()).toBe(200)
	expect(await log.query(asked)).toEqual(first)
	await until('the index', () => indexed() === 1100)
	expect(await log.query(asked)).toEqual(first)
	await note('seen on FIN-LT-7 again')
	expect((await log.query(asked)).matching).toBe(112)
	expect(indexed()).toBe(1101)
})

test('a frequent word is looked for in the nearest entries, not in the index, which would read all that hold it', async () => {
	await Promise.all(Array.from({length: 1100}, () => note('seen')))
	await log.query({text: 'seen', limit: 1})
	await until('the index', () => indexed() === 1100)
	rawFile(world, 'incidents-search.db').exec("INSERT INTO entry_text (entry_text) VALUES ('delete-all')")
	const seqs = async (part: object) => (await log.query({text: 'seen', limit: 2, ...part})).entries.map(({seq}) => seq)
	expect(await seqs({})).toEqual([1100, 1099])
	expect(await seqs({before: 1001})).toEqual([1000, 999])
	expect(await seqs({after: 5})).toEqual([6, 7])
	await note('seen')
	expect(await log.query({text: 'seen', limit: 2})).toMatchObject({matching: 1101, more: true})
})

test('the first look at the log begins to fill the index', async () => {
	await Promise.all(Array.from({length: 600}, () => note('seen')))
	await log.query({limit: 1})
	await turns(9)
	expect(indexed()).toBe(600)
})

test('who left entries is read from those that came since', async () => {
	await note('one')
	expect(await log.people()).toEqual(['ada'])
	const database = rawFile(world)
	database.exec("DROP TRIGGER entry_no_update; UPDATE entry SET operator = 'not read again'")
	const other = logOf(world, 'a new one')
	await other.append({kind: 'note', surface: 'screen', message: 'two'})
	expect(await log.people()).toEqual(['a new one', 'ada'])
	database.exec('DROP TRIGGER entry_no_delete; DELETE FROM entry WHERE seq > 1')
	expect(await log.people()).toEqual(['not read again'])
})

test('how many entries match is counted from those that came since', async () => {
	await note('one')
	const count = async () => (await log.query({operator: 'ada', limit: 1})).matching
	expect(await count()).toBe(1)
	const database = rawFile(world)
	database.exec("DROP TRIGGER entry_no_update; UPDATE entry SET operator = 'not counted again'")
	await note('two')
	expect([await count(), await count()]).toEqual([2, 2])
	database.exec('DROP TRIGGER entry_no_delete; DELETE FROM entry WHERE seq > 1')
	expect(await count()).toBe(0)
})

test('a log that is closed while the index is filled leaves nothing running', async () => {
	await Promise.all(Array.from({length: 600}, () => note('seen')))
	await log.query({text: 'seen', limit: 1})
	await log.stop()
	await turns(1)
	expect(indexed()).toBe(200)
})

test('an export reads each part of the log once, and no further when nobody waits', async () => {
	await Promise.all(Array.from({length: 1200}, () => note('seen')))
	const options = {...world, path: join(world.folder, 'incidents.db'), operator: 'ada'}
	const {matching, ...rest} = inThread(openSqliteLog(options))
	const parts: unknown[] = []
	const reader = incidentLog({...rest, matching: async (query, ...part) => (parts.push(part), await matching(query, ...part))}, options)
	expect(await Array.fromAsync(reader.export({text: 'seen'}, 'jsonl'))).toHaveLength(1200)
	await expect(Array.fromAsync(reader.export({text: 'none'}, 'jsonl', AbortSignal.abort()))).rejects.toThrow('abort')
	expect(parts).toEqual([
		[0, 1000, 1000],
		[1000, 1000, 2000]
	])
	await reader.stop()
})

test('of a time, only the numbers of its entries are asked for, also after a clock was set back', async () => {
	for (const step of [0, 3_600_000, -7_200_000, 7_200_000]) {
		await world.clock.advance(step)
		await note('seen')
	}
	const file = openLogFile(join(world.folder, 'incidents.db'), 0)
	const asked = file.read(database => vi.spyOn(database, 'all'))
	const numbers = (filter: FullFilter) => {
		locate(file, {search: () => undefined}, filter, [0, 99_999]).count()
		return asked.mock.lastCall?.slice(-2)
	}
	const [time, never] = ['2026-03-01T12:30:00Z', '2999-01-01']
	expect([{}, {since: time}, {until: time}, {since: never}].map(numbers)).toEqual([
		[0, 99_999],
		[1, 99_999],
		[0, 3],
		[99_999, 99_999]
	])
	file.close()
})

test('a page of changes is read in the order of the entries, and no further than it goes', () => {
	const repository = openSqliteLog({...world, path: join(world.folder, 'incidents.db'), operator: 'ada'})
	const plans = watchPlans()
	repository.query({writesOnly: true, limit: 2})
	repository.matching({writesOnly: true}, 0, 2)
	repository.stop()
	const pages = plans.filter(plan => plan.startsWith('SELECT * FROM entry W'))
	expect(pages).toEqual(Array(2).fill(expect.stringMatching(/: SEARCH entry USING INTEGER PRIMARY KEY [^;]*$/)))
})

test('an entry comes with its intent and everything about either', async () => {
	const intent = await note('the intent')
	await note('of nothing here')
	const outcome = await note('the outcome', intent.id)
	const remark = await note('a remark on the intent', intent.id)
	const further = await note('a remark on the outcome', outcome.id)
	const ids = async (id: string) => (await log.thread(id)).map(entry => entry.id)
	expect(await ids(outcome.id)).toEqual([further.id, remark.id, outcome.id, intent.id])
	expect(await ids(intent.id)).toEqual([remark.id, outcome.id, intent.id])
	expect(await ids('none')).toEqual([])
	const many: string[] = []
	for (let count = 0; count < 100; count += 1) many.unshift((await note('a further remark', intent.id)).id)
	expect(await ids(intent.id)).toEqual(many)
})

test('numbers after an entry, entries by their numbers, and the number of the last entry before a time', async () => {
	const entries: LogEntry[] = []
	for (const message of ['one', 'two', 'three', 'four']) {
		await world.clock.advance(1000)
		entries.push(await note(message))
	}
	expect(await log.newest()).toBe(4)
	expect(await log.linesAfter({}, 2, 4)).toEqual([3, 4])
	expect(await log.linesAfter({}, 4, 4)).toEqual([])
	expect(await log.linesAfter({text: 'three'}, 0, 4)).toEqual([3])
	expect(await log.linesAfter({text: 'o'}, 0, 4)).toEqual([1, 2, 4])
	expect(await log.entriesAt([3, 1])).toEqual([entries[2], entries[0]])
	expect(await log.entriesAt([9])).toEqual([])
	expect(await log.earliestAfter(2)).toBe(entries[2]?.at)
	expect(await log.earliestAfter(4)).toBeNull()
	const times = entries.map(({at}) => at)
	expect(await log.seqsBefore([...times.toReversed(), '2999-01-01T00:00:00.000Z'])).toEqual([3, 2, 1, 0, 4])
	expect(await log.seqsBefore([])).toEqual([])
})
