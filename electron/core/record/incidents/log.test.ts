import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import type {LogEntry} from '#model/incident.ts'
import {openDatabase} from '#core/store/database.ts'
import {migrate} from '#core/store/migrations.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {csvLine} from '#text/csv.ts'
import {conditionsOf} from './filter.ts'
import {incidentMigrations} from './log-file.ts'
import {acme, guid, isolate, logOf, noteOf, rawFile} from './testing/log-of.ts'
import type {IncidentLog, NewEntry} from './types.ts'

let world: World
let log: IncidentLog

beforeEach(() => {
	world = createWorld()
	log = logOf(world)
})

const all = {limit: 1000}
const note = async (...how: Parameters<typeof noteOf>) => await log.append(noteOf(...how))
const count = async (text: string) => (await log.query({...all, text})).matching
const seqs = (entries: readonly LogEntry[]) => entries.map(({seq}) => seq)

describe('an entry', () => {
	test('is read back as it was written, with number, id, time and operator', async () => {
		const written = await log.append(isolate({durationMs: 12.5, status: 200, requestId: 'r-1', data: {id: 6419204901661835278n}}))
		expect(written).toMatchObject({seq: 1, at: '2026-03-01T12:00:00.000Z', operator: 'ada', about: null, incident: null})
		await log.stop()
		log = logOf(world, 'grace')
		expect(await log.entry(written.id)).toEqual(written)
		expect(await log.entry('nothing')).toBeUndefined()
	})

	test('has an id that sorts by time', async () => {
		const first = await log.append(isolate())
		await world.clock.advance(1)
		const second = await log.append(isolate())
		expect(second.id > first.id).toBe(true)
		expect(first.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
	})

	test.each([
		['args', {api_key: 'k'}],
		['args', {nested: [{Authorization: 'Basic x'}]}],
		['data', {apiKey: 'k'}]
	])('with credentials in its %s is refused', async (field, value) => {
		await expect(() => log.append(isolate({[field]: value}))).rejects.toThrow('was refused')
		expect((await log.query(all)).matching).toBe(0)
	})

	test('never holds an unlock code', async () => {
		const entry = await log.append(isolate({args: {unlock_code: 'tango42'}, data: {answer: {unlock_code: 'tango42'}}}))
		expect(JSON.stringify(await log.entry(entry.id))).not.toContain('tango42')
		await log.stop()
		for (const file of readdirSync(world.folder)) expect(readFileSync(join(world.folder, file), 'latin1')).not.toContain('tango42')
	})
})

test.each([
	["UPDATE entry SET message = 'another'", 'never changed'],
	['DELETE FROM entry', 'never removed'],
	["INSERT OR REPLACE INTO entry (seq, id, at, kind, operator, surface, message) VALUES (1, 'x', '', 'note', '', 'cli', '')", 'only appended'],
	["INSERT INTO entry (seq, id, at, kind, operator, surface, message) VALUES (9, 'x', '', 'note', '', 'cli', '')", 'only appended'],
	[
		"INSERT OR REPLACE INTO entry (seq, id, at, kind, operator, surface, message) SELECT 2, id, '', 'note', '', 'cli', '' FROM entry",
		'only appended'
	]
])('the file refuses %s', async (sql, reason) => {
	const entry = await log.append(isolate())
	expect(() => rawFile(world).exec(sql)).toThrow(reason)
	expect((await log.query(all)).entries).toEqual([entry])
})

describe('a search', () => {
	beforeEach(async () => {
		await log.append(isolate())
		await world.clock.advance(60_000)
		await log.append(isolate({kind: 'command.succeeded', message: 'Isolation accepted: pending_start.'}))
		await log.append({
			kind: 'command.requested',
			surface: 'cli',
			command: 'svc_get_computers',
			args: {hostname: '100%'},
			connection: {...acme, id: 'c2', name: 'Beta'},
			message: 'List computers.'
		})
		await note('Called the übernahme team about fin-laptop-7.')
	})

	test.each([
		['FIN-LAPTOP', [1, 2, 4]],
		['aptop-7 svc_put', [1, 2]],
		['ÜBERNAHME', [4]],
		['beaconing', [1, 2]],
		['0%', [3]],
		['0_', []],
		['pending_start §', []],
		['7', [1, 2, 4]],
		['laptop 7 ab', [4]],
		[guid.slice(3, 20).toUpperCase(), [1, 2]]
	])('for %s finds %j', async (text, expected) => {
		expect(seqs((await log.query({...all, text})).entries).toSorted()).toEqual(expected)
	})

	test('the end of an id, as sent to the service, finds the entry, its outcome, and those of a job', async () => {
		const found = async (text: string) => seqs((await log.query({...all, text})).entries)
		const intent = await note('asked', {data: {job: '01JBJBJBJBJBJBJBJBJBJBJBJ7'}})
		const outcome = await note('done', {about: intent.id})
		expect((await found(intent.id.slice(-8))).toSorted()).toEqual([intent.seq, outcome.seq])
		expect(await found('01JBJBJBJBJBJBJBJBJBJBJBJ7')).toEqual([intent.seq])
	})

	test.each([
		[{kinds: ['note' as const, 'command.succeeded' as const]}, [2, 4]],
		[{command: 'svc_get_computers'}, [3]],
		[{target: guid.toUpperCase()}, [1, 2]],
		[{target: 'fin-laptop-7'}, [1, 2]],
		[{state: 'isolated'}, []],
		[{connection: 'c2'}, [3]],
		[{connection: 'acme'}, [1, 2]],
		[{tenant: 'c2'}, [3, 4]],
		[{surface: 'cli' as const}, [3]],
		[{writesOnly: true}, [1, 2]],
		[{writesOnly: false}, [1, 2, 3, 4]],
		[{since: '2026-03-01T13:01:00+01:00'}, [2, 3, 4]],
		[{text: 'laptop', surface: 'screen' as const, kinds: ['note' as const]}, [4]]
	])('with the filter %j finds %j', async (filter, expected) => {
		const found = await log.query({...all, ...filter})
		expect(seqs(found.entries).toSorted()).toEqual(expected)
		expect(found.matching).toBe(expected.length)
	})

	test('finds what was appended after the last search', async () => {
		expect(await count('afterwards')).toBe(0)
		await note('Added afterwards.')
		expect((await log.query({...all, text: 'afterwards'})).entries).toMatchObject([{message: 'Added afterwards.'}])
	})

	async function spoilIndex(sql: string) {
		await log.stop()
		const index = rawFile(world, 'incidents-search.db')
		index.exec(sql)
		index.close()
		log = logOf(world)
	}

	test('does not trust an index of another log', async () => {
		expect(await count('übernahme')).toBe(1)
		await spoilIndex("UPDATE progress SET id = 'of another log'")
		expect(await count('übernahme')).toBe(1)
	})

	test('works row by row when the index is damaged', async () => {
		await log.query({...all, text: 'fin-laptop'})
		await spoilIndex('DROP TABLE entry_text; CREATE TABLE entry_text (another)')
		expect(await count('fin-laptop')).toBe(3)
	})

	test('does not keep another process from appending', async () => {
		const other = logOf(world, 'grace')
		const raw = rawFile(world, 'incidents-search.db')
		await log.query({...all, text: 'laptop'})
		raw.exec('BEGIN IMMEDIATE')
		expect((await other.append(isolate())).seq).toBe(5)
		raw.exec('ROLLBACK')
	})

	test('for the GUID of a computer reads its entries only', () => {
		const raw = rawFile(world)
		const [{sql, params} = {sql: '', params: []}] = conditionsOf({target: guid})
		const plan = raw.prepare(`EXPLAIN QUERY PLAN SELECT * FROM entry WHERE ${sql}`).all(...params)
		expect(JSON.stringify(plan)).toContain('entry_target (target_guid=?')
	})

	test('for an invalid time names the field', async () => {
		await expect(() => log.query({...all, since: 'yesterday'})).rejects.toMatchObject({code: 'invalid_argument', details: {field: 'since'}})
	})
})

describe('paging', () => {
	beforeEach(async () => {
		for (let number = 1; number <= 7; number += 1) await note(`note ${number}`)
	})
	const page = async (query: {before?: number; after?: number; text?: string}) => {
		const {entries, more, matching} = await log.query({limit: 3, ...query})
		return {seqs: seqs(entries), more, matching}
	}

	test('goes backwards from the newest', async () => {
		expect(await page({})).toEqual({seqs: [7, 6, 5], more: true, matching: 7})
		expect(await page({before: 5})).toEqual({seqs: [4, 3, 2], more: true, matching: 7})
		expect(await page({before: 2, text: 'note'})).toEqual({seqs: [1], more: false, matching: 7})
	})

	test('follows forwards', async () => {
		expect(await page({after: 3})).toEqual({seqs: [4, 5, 6], more: true, matching: 7})
		expect(await page({after: 7})).toEqual({seqs: [], more: false, matching: 7})
	})
})

test('intents and outcomes of a target come newest first, also outcomes that name no target', async () => {
	const intent = await log.append(isolate())
	await log.append(isolate({target: {guid: 'other', label: 'HR-1'}}))
	await log.append({kind: 'command.succeeded', surface: 'screen', about: intent.id, message: 'Accepted.'})
	await log.append(isolate({connection: {...acme, id: 'c2'}}))
	await note('Only a note.', {about: intent.id})
	// However often it is polled.
	const command = 'svc_get_computers_isolation'
	const read = await log.append(isolate({command}))
	await log.append(isolate({command, kind: 'command.succeeded', about: read.id}))
	expect(seqs(await log.about('c1', guid.toUpperCase(), 10))).toEqual([3, 1])
	expect(seqs(await log.about('c1', guid, 1))).toEqual([3])
})

describe('an incident', () => {
	test('consists of its entries', async () => {
		const opened = await log.openIncident({title: ' Beacon on FIN-7 ', reference: 'INC-12'}, 'screen')
		expect(opened).toMatchObject({title: 'Beacon on FIN-7', reference: 'INC-12', open: true, entries: 1, closedAt: null})
		await log.append(isolate({incident: opened.id}))
		await world.clock.advance(1000)
		const closed = await log.setIncidentOpen(opened.id, false, 'cli')
		expect(closed).toMatchObject({open: false, closedAt: '2026-03-01T12:00:01.000Z', entries: 3})
		expect((await log.setIncidentOpen(opened.id, false, 'cli')).entries).toBe(3)
		expect(await log.setIncidentOpen(opened.id, true, 'cli')).toMatchObject({open: true, closedAt: null, entries: 4})
		const second = await log.openIncident({title: 'Second', reference: ''}, 'screen')
		expect((await log.incidents()).map(incident => incident.id)).toEqual([second.id, opened.id])
		expect((await log.query({...all, incident: opened.id})).entries.map(({message}) => message)).toEqual([
			'Incident reopened: Beacon on FIN-7.',
			'Incident closed: Beacon on FIN-7.',
			'Isolate a computer: FIN-Laptop-7.',
			'Incident opened: Beacon on FIN-7 (INC-12).'
		])
	})

	test('that does not exist cannot be closed', async () => {
		await expect(() => log.setIncidentOpen('nothing', false, 'cli')).rejects.toMatchObject({code: 'not_found'})
	})
})

describe('an export', () => {
	test('as JSONL holds every entry, oldest first, with exact numbers', async () => {
		await Promise.all(Array.from({length: 1203}, (_, at) => note(`note ${at}`, {data: {id: 6419204901661835278n}})))
		const lines = await Array.fromAsync(log.export({}, 'jsonl'))
		expect(lines).toHaveLength(1203)
		expect(lines[1202]).toMatch(/^\{"seq":1203,.*"message":"note 1202","data":\{"id":6419204901661835278\}\}\n$/)
	})

	test('as CSV quotes what must be quoted and disarms formulas', async () => {
		await log.append(isolate({message: '=HYPERLINK("http://evil")', target: {guid, label: '@SUM(1)'}, args: {a: 'one\r\ntwo'}}))
		await note('-1 of 3, done')
		const [header, first, second] = await Array.fromAsync(log.export({}, 'csv'))
		expect(header).toMatch(/^seq,id,at,kind,.*,data\r\n$/)
		expect(first).toContain(`,'@SUM(1),${guid},Acme,`)
		expect(first).toContain(`,"'=HYPERLINK(""http://evil"")",`)
		expect(second).toContain(`,"'-1 of 3, done",`)
		expect(await Array.fromAsync(log.export({text: 'done'}, 'csv'))).toEqual([header, second])
		await note('a;=1+1;b;"@SUM(1);\n-2; x-y')
		const [, third = ''] = await Array.fromAsync(log.export({text: 'SUM(1)', kinds: ['note']}, 'csv'))
		expect(third).toContain(`"a;'=1+1;b;""'@SUM(1);\n'-2; x-y"`)
		// With another separator, quotes in the middle of a cell do not count.
		expect(third.split(/[;\n]/).filter(cell => /^["\s]*[=+\-@]/.test(cell))).toEqual([])
		expect(csvLine(['\n=1+1;b', ' \t=2', '  =3', '\tx'])).toBe(`"\n'=1+1;b", \t'=2,'  =3,'\tx\r\n`)
	})

	test('does not hinder appending while it is read', async () => {
		await Promise.all(Array.from({length: 600}, () => note('before')))
		const lines = log.export({}, 'jsonl')[Symbol.asyncIterator]()
		await lines.next()
		expect((await note('in between')).seq).toBe(601)
	})
})

test('a listener is notified of entries of this process at once and of others soon', async () => {
	const heard: number[] = []
	const stop = log.onAppend(seq => heard.push(seq))
	await log.append(isolate())
	await Promise.resolve()
	expect(heard).toEqual([1])
	const other = logOf(world, 'grace')
	await other.append(isolate())
	await other.append(isolate())
	await world.clock.advance(500)
	expect(heard).toEqual([1, 3])
	stop()
	await other.append(isolate())
	await world.clock.advance(500)
	expect(heard).toEqual([1, 3])
})

describe('a change without an outcome', () => {
	const outcome = (about: string, kind: NewEntry['kind'] = 'command.succeeded') => ({...isolate({kind}), about})
	const open = async (of = log): Promise<readonly string[]> => (await of.openChanges()).map(({id}) => id)

	test('is known until its outcome is written, by whichever process', async () => {
		const [one, two, three] = [await log.append(isolate()), await log.append(isolate()), await log.append(isolate())]
		await log.append(isolate({command: 'svc_get_computer'}))
		await log.append(outcome(two.id, 'command.observed'))
		await note('seen', {about: three.id})
		expect(await open()).toEqual([one.id, two.id, three.id])
		const other = logOf(world, 'grace')
		await other.append(outcome(two.id, 'command.failed'))
		expect([await open(), await open(other)]).toEqual([
			[one.id, three.id],
			[one.id, three.id]
		])
		await other.append(outcome(one.id))
		await other.append(outcome(three.id, 'command.outcome_unknown'))
		expect(await open()).toEqual([])
	})

	test('is found in a log that an earlier version wrote', async () => {
		await log.stop()
		const old = openDatabase(join(world.folder, 'incidents.db'), {synchronous: 'FULL'})
		migrate(old, incidentMigrations.slice(0, 2))
		const columns = 'seq, id, at, kind, about, command, operator, surface, message'
		const add = `INSERT INTO entry (${columns}) VALUES (?, ?, '2026-01-01T00:00:00.000Z', ?, ?, ?, 'ada', 'cli', 'text')`
		const move = 'svc_move_computer'
		old.run(add, 1, 'done', 'command.requested', null, move)
		old.run(add, 2, 'lost', 'command.requested', null, move)
		old.run(add, 3, 'outcome', 'command.succeeded', 'done', move)
		old.close()
		log = logOf(world)
		expect(await open()).toEqual(['lost'])
	})

	test('gets one outcome, also where two processes write it', async () => {
		const {id} = await log.append(isolate())
		const other = logOf(world, 'grace')
		const kinds = ['command.succeeded', 'command.failed', 'command.outcome_unknown'] as const
		expect(await log.appendOnce(outcome(id, 'command.outcome_unknown'), kinds)).toMatchObject({about: id, operator: 'ada'})
		expect(await other.appendOnce(outcome(id), kinds)).toBeUndefined()
		expect(await other.appendOnce(outcome(id, 'command.observed'), ['command.observed'])).toMatchObject({operator: 'grace'})
		expect(await log.thread(id)).toHaveLength(3)
	})
})
