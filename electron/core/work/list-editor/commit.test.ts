import {hash} from 'node:crypto'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'

import {expectRefused} from '#base/testing/code-of.ts'
import {testFolder} from '#base/testing/folder.ts'
import {until} from '#base/testing/until.ts'
import {openWorld, type Process, type World} from '../jobs/testing/world.ts'
import type {CommitJobs} from './commit.ts'
import {openDrafts, type Drafts} from './drafts.ts'
import {createListEditor, type ListEditor} from './list-editors.ts'
import {createSystemFiles, type SystemFiles} from './system-files.ts'
import {knowledgeOf} from './known.ts'
import type {EditorSource} from './types.ts'

const numbered = (index: number) => hash('sha256', `commit ${index}`, 'hex')
const typed = (...hashes: readonly string[]) => ({name: 'typed', text: hashes.join('\n')})

let world: World
let one: Process
let folder: string
let editor: ListEditor
let draft: {connection: string; list: string}
let listRead: boolean
let opened: {drafts: Drafts; systemFiles: SystemFiles} | undefined

const systemFilesOf = () => createSystemFiles({path: join(folder, 'system-files.db'), folders: [join(folder, 'bin')], onTrouble: () => {}})

const source = (): EditorSource => ({
	list: guid => ({guid, name: 'SCD-Main', type: 'simple_custom_detections', read: listRead}),
	holdings: () => ({here: new Set([numbered(1)]), elsewhere: new Map()}),
	hashesOf: () => [numbered(1)],
	seen: () => new Map(),
	prevalence: async () => 4000,
	prevalentFrom: () => 25,
	version: () => [String(listRead), 0]
})

/** The editor of a process whose copy of the list is always right. */
async function edit(process: Process, jobs: CommitJobs = process.jobs) {
	await close()
	opened = {drafts: openDrafts(folder), systemFiles: systemFilesOf()}
	const onTrouble = (message: string, error: unknown) => {
		throw new Error(message, {cause: error})
	}
	return createListEditor({clock: world.ports.clock, ...opened, jobs, onTrouble, source})
}

async function close() {
	editor?.stop()
	await opened?.systemFiles.stop()
	await opened?.drafts.stop()
	opened = undefined
}

const add = (...lines: readonly string[]) => editor.stage(draft, 'add', typed(...lines))
const left = (rows: number) => until('the rows leave the draft', async () => (await editor.state(draft)).rows === rows)

beforeEach(async () => {
	listRead = true
	world = await openWorld({computers: 50, seed: 'commit'})
	one = await world.start()
	folder = testFolder()
	mkdirSync(join(folder, 'bin'))
	draft = {connection: 'sandbox', list: world.sandbox.world.tenant.lists.at(-1)?.guid ?? ''}
	await one.carryOut({kind: 'add_hashes', list: draft.list, reason: 'before'}, [numbered(1)])
	editor = await edit(one)
})
afterEach(async () => {
	await close()
	await world.stop()
})

const planned = () => editor.plan(draft, {reason: 'case 7'})

async function expectLeft(plan: {id: string}) {
	await left(0)
	expect(await editor.state(draft)).toMatchObject({rows: 0, job: plan.id})
}

test('additions and removals go as one plan with their notes, and leave the draft when they are done', async () => {
	await add(`${numbered(2)} loader`)
	await editor.stage(draft, 'remove', typed(numbered(1)))
	const plan = await planned()
	expect(plan.targets).toMatchObject([
		{id: numbered(2), note: 'loader'},
		{id: numbered(1), observed: {'on list': true}}
	])
	expect(plan.action).toMatchObject({kind: 'change_hashes', removes: [numbered(1)], reason: 'case 7'})
	expect(await editor.state(draft)).toMatchObject({rows: 2, job: null})
	await applied(plan)
	await expectLeft(plan)
})

test('what a job did while this program was not there leaves the draft at the next start', async () => {
	await add(numbered(3))
	const plan = await planned()
	editor.stop()
	await applied(plan)
	editor = await edit(one)
	await expectLeft(plan)
})

test('rows that failed stay with the reason, and are tried again by themselves', async () => {
	await add(...[4, 5, 6].map(numbered))
	const plan = await planned()
	world.sandbox.weather.set([`POST *${numbered(5)}*=status:400`])
	await applied(plan)
	await left(1)
	const {rows} = await editor.rows(draft, {view: 'all', offset: 0, limit: 10})
	expect(rows).toMatchObject([{key: numbered(5), verdict: 'ready', result: expect.stringMatching(/\S/)}])
	world.sandbox.weather.clear()
	await add(numbered(9))
	const again = await editor.plan(draft, {reason: 'case 7', retryOf: plan.id})
	expect(again.targets.map(({id}) => id)).toEqual([numbered(5)])
})

test('a row that is marked red is sent with its reason only, which the job has', async () => {
	await add(numbered(7))
	await editor.prevalence(draft, [numbered(7)])
	await expectRefused(planned(), 'usage')
	await editor.annotate(draft, [numbered(7)], {reason: 'our own tool, retired'})
	const {action} = await planned()
	expect(action.reason).toContain('our own tool, retired')
	const known = knowledgeOf(() => opened ?? expect.unreachable(), source)
	expect(known('sandbox', [numbered(7)]).get(numbered(7))).toMatchObject({prevalence: 4000})
})

test('a list that was not read to its end is not committed', async () => {
	listRead = false
	await add(numbered(8))
	await expectRefused(planned(), 'usage', '', {field: 'list'})
})

test.each([
	['wanted the other way round', () => editor.stage(draft, 'remove', typed(numbered(2)))],
	['given another note', () => editor.annotate(draft, [numbered(2)], {note: 'case 8'})],
	['dropped', () => editor.drop(draft, [numbered(2)])]
])('a row that is %s while it is planned is not committed as it was', async (_how, change) => {
	editor = await edit(one, {
		get: id => one.jobs.get(id),
		receipts: query => one.jobs.receipts(query),
		onChange: listener => one.jobs.onChange(listener),
		plan: async request => {
			const plan = await one.jobs.plan(request)
			await change()
			return plan
		}
	})
	await add(numbered(2), numbered(3))
	await expectRefused(planned(), 'busy', 'changed while it was planned')
	editor = await edit(one)
	const {targets} = await planned()
	expect(targets.map(({id}) => id)).toContain(numbered(3))
})

test('a note that is changed while its job runs stays in the draft', async () => {
	await add(`${numbered(2)} loader`)
	await add(`${numbered(3)} dropper`)
	const plan = await planned()
	await editor.annotate(draft, [numbered(2)], {note: 'loader of case 8'})
	await add(`${numbered(3)} dropper of case 8`)
	await applied(plan)
	await left(2)
	const {rows} = await editor.rows(draft, {view: 'all', offset: 0, limit: 10})
	expect(rows.map(({key, note}) => [key, note])).toEqual([
		[numbered(2), 'loader of case 8'],
		[numbered(3), 'dropper of case 8']
	])
})

test('a row that failed keeps its place in the retry when its note is changed', async () => {
	await add(`${numbered(4)} loader`)
	const plan = await planned()
	world.sandbox.weather.set([`POST *${numbered(4)}*=status:400`])
	await applied(plan)
	await left(1)
	world.sandbox.weather.clear()
	await editor.annotate(draft, [numbered(4)], {note: 'shorter'})
	expect((await editor.plan(draft, {reason: 'case 7', retryOf: plan.id})).targets).toMatchObject([{id: numbered(4), note: 'shorter'}])
})

/** Of a plan whose news it tells. */
async function watched(jobs: Partial<CommitJobs>) {
	let tell = () => {}
	editor = await edit(one, {
		...({...one.jobs, ...jobs} as CommitJobs),
		onChange: listener => {
			tell = () => listener('sandbox', 'p')
			return () => {}
		}
	})
	await add(numbered(2))
	await opened?.drafts.planned(draft, [{key: numbered(2), operation: 'add', note: ''}], 'p')
	return tell
}

test('news of a job that come together are looked at once', async () => {
	let asked = 0
	const tell = await watched({get: async id => (asked++, await one.jobs.get(id))})
	for (let news = 0; news < 100; news += 1) tell()
	await until('they are looked at', () => asked === 2)
	await new Promise(setImmediate)
	expect(asked).toBe(2)
})

test('results that are read slowly are read again after a longer rest', async () => {
	let reads = 0
	const {sleep} = world.ports.clock
	const tell = await watched({
		get: async () => ({summary: {endedAt: null}}) as never,
		receipts: async () => (reads++, await sleep(5000), {rows: []}) as never
	})
	for (const after of [0, 12_000, 12_000, 2000]) {
		await sleep(after)
		tell()
		await new Promise(setImmediate)
	}
	expect(reads).toBe(2)
})

async function applied({id}: {id: string}) {
	await one.jobs.apply({plan: id, surface: 'screen'})
	await one.jobs.settled(id)
}
