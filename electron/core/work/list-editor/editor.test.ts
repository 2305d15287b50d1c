import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {hash} from 'node:crypto'
import {DatabaseSync} from 'node:sqlite'
import {join} from 'node:path'

import {computedMs} from '#base/testing/cpu.ts'
import {testFolder} from '#base/testing/folder.ts'
import {inTurns} from '#base/testing/until.ts'
import {CordonError} from '#contract/errors.ts'
import type {DraftView} from '#model/list-draft.ts'

import type {CommitJobs} from './commit.ts'
import {openDrafts, type Drafts} from './drafts.ts'
import {createListEditor, createListShelf, type ListEditor} from './list-editors.ts'
import {createSystemFiles, type SystemFiles} from './system-files.ts'
import type {EditorSource} from './types.ts'

const list = 'aaaaaaaa-0000-4000-8000-000000000001'
const other = 'aaaaaaaa-0000-4000-8000-000000000002'
const draft = {connection: 'c1', list}
const clock = {now: () => Date.parse('2026-11-21T00:00:00Z'), monotonic: () => 0, sleep: async () => {}}
const numbered = (index: number) => hash('sha256', String(index), 'hex')
const many = (count: number) => Array.from({length: count}, (_, index) => numbered(index)).join('\n')
const source = (text: string, name = 'typed') => ({name, text})

let folder: string
let drafts: Drafts
let systemFiles: SystemFiles
let editor: ListEditor
const asked: string[] = []
const lookedUp: string[] = []
let directory = ''
const on = new Map<string, string[]>([
	[list, [numbered(1), numbered(2)]],
	[other, [numbered(2), numbered(3)]]
])

const copies: EditorSource = {
	list: guid => ({guid, name: guid === list ? 'SCD-Main' : 'Other', type: 'simple_custom_detections', read: true}),
	holdings: ({guid}, hashes) => ({here: new Set(hashes.filter(hash => on.get(guid)?.includes(hash))), elsewhere: new Map()}),
	hashesOf: guid => on.get(guid) ?? [],
	seen: hashes => (lookedUp.push(...hashes), new Map(hashes.map(hash => [hash, {computers: 0, dispositions: []}]))),
	prevalence: async sha256 => {
		asked.push(sha256)
		return 4000
	},
	prevalentFrom: () => 25,
	version: () => [directory, 1]
}

const fail = (message: string, error: unknown) => {
	throw new Error(message, {cause: error})
}
const noJobs: CommitJobs = {
	plan: () => Promise.reject(new CordonError('usage', 'no job in this test')),
	get: () => fail('no job in this test', null) as never,
	receipts: () => fail('no job in this test', null) as never,
	onChange: () => () => {}
}

function open() {
	drafts = openDrafts(folder)
	systemFiles = createSystemFiles({path: join(folder, 'system-files.db'), folders: [join(folder, 'bin')], onTrouble: fail})
	editor = createListEditor({clock, drafts, systemFiles, source: () => copies, jobs: noJobs, onTrouble: fail})
}

const add = (text: string, name?: string) => editor.stage(draft, 'add', source(text, name))
const rowsOf = async (view: DraftView = 'all') => (await editor.rows(draft, {view, offset: 0, limit: 10})).rows

beforeEach(() => {
	asked.length = 0
	folder = testFolder()
	open()
})

afterEach(() => editor.stop())

test('hashes are staged in the order given, each once, and the draft outlives the process', async () => {
	const text = `${numbered(9).toUpperCase()} loader\n${numbered(8)}\n${numbered(9)}\n`
	expect(await add(text, 'case.txt')).toMatchObject({added: 2, changed: 0, repeated: 1, state: {rows: 2, adds: 2, ready: 2}})
	await editor.stop()
	open()
	expect(await rowsOf()).toMatchObject([
		{key: numbered(9), note: 'loader', source: 'case.txt', place: 'line 1', given: 2, verdict: 'ready'},
		{key: numbered(8), note: '', given: 1, verdict: 'ready'}
	])
})

test('what events say of a hash is not looked up again when a list changes', async () => {
	lookedUp.length = 0
	await add(numbered(5))
	directory = 'changed'
	await editor.state(draft)
	expect(lookedUp).toEqual([numbered(5)])
})

test('the same hash staged for removal takes the place of its addition, and its reason goes', async () => {
	await add(numbered(1))
	await editor.annotate(draft, [numbered(1)], {reason: 'wanted'})
	expect(await editor.stage(draft, 'remove', source(numbered(1)))).toMatchObject({added: 0, changed: 1})
	expect(await rowsOf()).toMatchObject([{operation: 'remove', reason: null, verdict: 'ready'}])
})

test('what is asked for later is staged later, though it is read sooner', async () => {
	await Promise.all([add(many(20_000)), editor.stage(draft, 'remove', source(numbered(1)))])
	expect((await rowsOf())[1]).toMatchObject({key: numbered(1), operation: 'remove'})
})

test('only what is ready is given to a job: what is red needs its reason, what is refused stays behind', async () => {
	const text = [numbered(1), numbered(5), numbered(6), 'e'.repeat(32)].join('\n')
	await add(text)
	await editor.prevalence(draft, [numbered(6)])
	expect(asked).toEqual([numbered(6)])
	expect(await editor.state(draft)).toMatchObject({rows: 4, ready: 1, idle: 1, red: 1, refused: 1})
	expect(await editor.keys(draft, 'ready')).toEqual([numbered(5)])
	expect(await rowsOf('ready')).toMatchObject([{sha256: numbered(5)}])
	await editor.annotate(draft, [numbered(6)], {reason: 'seen in the case', note: 'beacon'})
	expect(await rowsOf('ready')).toMatchObject([
		{sha256: numbered(5), operation: 'add', note: '', reason: null},
		{sha256: numbered(6), operation: 'add', note: 'beacon', reason: 'seen in the case'}
	])
	expect(await rowsOf('refused')).toMatchObject([{marks: [{kind: 'md5'}]}])
})

test('dropping and discarding take away what is staged and nothing else', async () => {
	await add([numbered(5), numbered(6)].join('\n'))
	await editor.stage({connection: 'c2', list}, 'add', source(numbered(7)))
	expect((await editor.drop(draft, [numbered(5)])).rows).toBe(1)
	expect((await editor.discard(draft)).rows).toBe(0)
	expect((await editor.state({connection: 'c2', list})).rows).toBe(1)
})

test('a list is told apart from another, and from a file', async () => {
	expect(await editor.difference(draft, {list: other})).toEqual({onlyHere: [numbered(1)], onlyThere: [numbered(3)], both: 1, uncertain: null})
	expect(await editor.difference(draft, {source: source(`${numbered(1)}\n${numbered(4)}`)})).toMatchObject({
		onlyHere: [numbered(2)],
		onlyThere: [numbered(4)],
		both: 1
	})
})

test('an export can be staged again, and a spreadsheet runs nothing of it', async () => {
	await add(`hash,note\n${numbered(5)},=1+1\n`, 'x.csv')
	await editor.annotate(draft, [numbered(5)], {note: '=1+1'})
	const {name, text} = await editor.export(draft, 'csv')
	expect(name).toBe('scd-main-draft-2026-11-21.csv')
	expect(text).toContain("'=1+1")
	expect(await editor.inspect(source(text, name))).toMatchObject({format: 'csv', hashes: 1})
})

test("a file of this computer's own system is red", async () => {
	mkdirSync(join(folder, 'bin'))
	const program = join(folder, 'bin', 'tool')
	writeFileSync(program, '#!/bin/sh\n')
	chmodSync(program, 0o755)
	writeFileSync(join(folder, 'bin', 'readme.txt'), 'no program')
	await add(hash('sha256', '#!/bin/sh\n', 'hex'))
	await expect.poll(async () => (await editor.state(draft)).systemFiles).toEqual({known: 1, of: 1})
	expect(await rowsOf()).toMatchObject([
		{verdict: 'red', marks: [{kind: 'system_file', message: `This computer's own system has it: ${program}.`}]}
	])
})

const keys = many(20_000).split('\n')
const rows = keys.map(key => ({key, operation: 'add' as const, note: '', source: '', place: ''}))

test.each<[string, () => Promise<unknown>, number]>([
	['staged', () => drafts.stage(draft, 'remove', rows), 20_000],
	['annotated', () => drafts.annotate(draft, keys, {note: 'x'}), 20_000],
	['planned', () => drafts.planned(draft, rows, 'p'), 20_000],
	['settled', () => drafts.settle('q', new Map(keys.map((key, at) => [key, at === 0 ? 'failed' : null]))), 1],
	['dropped', () => drafts.drop(draft, keys), 0],
	['discarded', () => drafts.discard(draft), 0]
])('many rows are %s in pieces that nobody sees apart, and all before the end', async (_what, change, left) => {
	await drafts.stage(draft, 'add', rows)
	expect(await drafts.planned(draft, rows, 'q')).toBe(true)
	const others = new Promise(resolve => setImmediate(resolve, 'others'))
	const changing = change()
	expect(await Promise.race([others, changing])).toBe('others')
	const elsewhere = new DatabaseSync(join(folder, 'drafts.db'))
	const count = elsewhere.prepare("SELECT count(*) AS n FROM draft_row WHERE operation = 'add' AND note = '' AND plan = 'q' AND result IS NULL")
	// Another process sees all of them as they were, to the end.
	expect(count.get()).toEqual({n: 20_000})
	expect(await editor.state(draft)).toMatchObject({rows: left})
	expect(count.get()).toEqual({n: 0})
	elsewhere.close()
	await drafts.discard(draft)
	const last = drafts.stage(draft, 'add', rows)
	await Promise.all([changing, editor.stop(), drafts.stop(), last])
	open()
	expect(drafts.keys(draft)).toHaveLength(20_000)
})

test('a change that fails half-way changes nothing, and the next one is made', async () => {
	const raw = new DatabaseSync(join(folder, 'drafts.db'))
	raw.exec(`CREATE TRIGGER full BEFORE INSERT ON draft_row WHEN new.key = '${numbered(900)}' BEGIN SELECT RAISE(ABORT, 'full'); END`)
	raw.close()
	await expect(add(many(1000))).rejects.toMatchObject({code: 'storage'})
	expect(await editor.state(draft)).toMatchObject({rows: 0, revision: 0})
	expect(await add(many(800))).toMatchObject({added: 800, state: {revision: 1}})
})

test('a long draft is looked at in pieces, all of one revision', async () => {
	await drafts.stage(draft, 'add', rows)
	const others = new Promise(resolve => setImmediate(resolve, 'others'))
	const state = editor.state(draft)
	expect(await Promise.race([others, state])).toBe('others')
	expect(await state).toMatchObject({revision: 1, rows: 20_000})
	const changed = vi.spyOn(drafts, 'revision').mockReturnValueOnce(0)
	expect(await drafts.rows(draft)).toMatchObject({revision: 1, staged: {length: 20_000}})
	changed.mockRestore()
})

test('ten thousand hashes are staged and linted within a second', async () => {
	const text = Array.from({length: 10_000}, (_, index) => `${numbered(index)} note ${index}`).join('\n')
	const begun = computedMs()
	const {state} = await add(text)
	const window = await editor.rows(draft, {view: 'all', offset: 9900, limit: 100})
	const ms = computedMs() - begun
	expect(state).toMatchObject({rows: 10_000, ready: 9998, idle: 2})
	expect(window.rows).toHaveLength(100)
	expect(ms).toBeLessThan(1000)
})

test('ten thousand rows leave their draft within a second', async () => {
	await add(many(10_000))
	const {staged} = await drafts.rows(draft)
	await drafts.planned(draft, staged, 'p')
	const begun = computedMs()
	await drafts.settle('p', new Map(staged.map(({key}) => [key, null])))
	const ms = computedMs() - begun
	expect(drafts.keys(draft)).toEqual([])
	expect(ms).toBeLessThan(1000)
})

test('a file with more rows than a draft holds is refused, and nothing of it is staged', async () => {
	const text = many(100_001)
	await expect(add(text)).rejects.toThrow('at most 100000 rows')
	expect((await editor.state(draft)).rows).toBe(0)
})

test('a row that is given again takes no further room', async () => {
	const text = Array.from({length: 100_001}, () => numbered(1)).join('\n')
	expect(await add(text)).toMatchObject({added: 1, repeated: 100_000})
})

test.each([
	['lines', (index: number) => `${numbered(index)} note`],
	['rows of a table', (index: number) => `${numbered(index)},note`]
])('many %s are read in pieces', async (_what, line) => {
	const text = Array.from({length: 20_000}, (_, index) => line(index)).join('\n')
	const {result, turns} = await inTurns(editor.inspect(source(text)))
	expect(result).toMatchObject({hashes: 20_000})
	expect(turns).toBeGreaterThan(0)
})

test('a list is fully loaded for the editor without a total as well, and after a failure that took no hash away', () => {
	const read = (items: number | null, of: number | null, problem: object | null = null) => {
		const lists = [{guid: list, items, itemsRead: {read: 2, of, at: 'now', running: false}, problem}]
		const options = {connections: {find: () => ({id: 'c1'})}, directories: {open: () => ({fileLists: () => ({lists})})}}
		return createListShelf(options as never) // nothing else is asked
			.source('c1')
			.list(list)?.read
	}
	expect([read(2, 2), read(2, null), read(null, null), read(3, 3), read(2, 2, {})]).toEqual([true, true, false, false, true])
})

test('a change waits for that of another process, and others have the event loop meanwhile', async () => {
	const elsewhere = new DatabaseSync(join(folder, 'drafts.db'))
	elsewhere.exec('BEGIN IMMEDIATE')
	const changing = [add(numbered(7)), drafts.setJob(draft, 'j'), drafts.forget('none')]
	const others = new Promise(resolve => setTimeout(resolve, 10, 'others'))
	expect(await Promise.race([others, ...changing])).toBe('others')
	elsewhere.exec('COMMIT')
	await Promise.all(changing)
	elsewhere.close()
	expect((await editor.state(draft)).rows).toBe(1)
})
