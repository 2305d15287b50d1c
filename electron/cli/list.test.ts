import {hash} from 'node:crypto'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {openEventFile, openEventsForWriting} from '#core/replicas/events/schema.ts'
import {endOfTime, generatedEvent} from '#core/replicas/events/testing/generate.ts'
import {makeEventWriter} from '#core/replicas/events/writer.ts'
import {createSystemFiles} from '#core/work/list-editor/system-files.ts'

import {serviceBench} from './testing/service.ts'

let list: {guid: string; name: string}
let next = 0
const reason = ['--reason', 'case 7']

const bench = serviceBench({computers: 50, seed: 'cli-lists'}, () => {
	const found = bench.sandbox.world.tenant.lists.find(({name}) => name === 'Linux miners')
	if (found === undefined) throw new Error('the sandbox has no such list')
	list = found
})
beforeEach(() => {
	bench.sandbox.weather.clear()
	bench.sandbox.clearRequests()
})

function cordon(...argv: string[]) {
	return bench.cordon(argv)
}

function fresh() {
	next += 1
	return hash('sha256', `cli ${next}`, 'hex')
}

function changes() {
	return bench.sandbox.requests.filter(({method}) => method !== 'GET').length
}

test('the hashes of a file are added to a list with their notes, and removed again', async () => {
	const [one, two] = [fresh(), fresh()]
	const source = bench.file('iocs.txt', `${one} loader\n${two} evil\u202egnp\n${'a'.repeat(40)}\n${'0'.repeat(64)}\n`)
	const added = await cordon('list', 'import', list.name, '--file', source, ...reason, '--json')
	const answer = JSON.parse(added.out)
	expect(answer).toMatchObject({ok: true, command: 'list import', args: {list: list.guid}, data: {job: {counts: {done: 2}}}})
	expect(added.err).toContain('placeholder')
	const {out} = await cordon('list', 'export', list.guid)
	expect(out).toContain(`${one},loader`)
	expect((await cordon('list', 'export', list.guid, '--json')).out).toContain(String.raw`evil\u202egnp`)
	const lines = (await cordon('list', 'export', list.guid, '--jsonl')).out.trim().split('\n')
	expect(lines.map(line => JSON.parse(line).sha256)).toContain(one)
	const removed = await bench.json('list', 'import', list.guid, '--file', source, '--remove', ...reason, '--ticket', 'INC-7')
	expect(removed).toMatchObject({data: {job: {counts: {done: 2}}}})
	expect((await cordon('log', '--jsonl', '--limit', '9')).out).toContain('"ticket":"INC-7"')
	expect((await cordon('list', 'export', list.guid)).out).not.toContain(one)
})

test('a dry run sends nothing, and a plan can be written and applied later', async () => {
	const source = bench.file('dry.csv', `sha256,note\n${fresh()},from the bank\n`)
	const {code, out} = await cordon('list', 'import', list.name, '--file', source, ...reason, '--dry-run')
	expect([code, out]).toEqual([0, expect.stringContaining('on list: false')])
	const plan = join(bench.folder, 'plan.json')
	await cordon('list', 'import', list.name, '--file', source, ...reason, '--plan', plan)
	expect(JSON.parse(readFileSync(plan, 'utf8'))).toMatchObject({action: {kind: 'add_hashes', list: list.guid}})
	expect(changes()).toBe(0)
	const other = await cordon('list', 'import', 'Mac adware', '--apply', plan)
	expect([other.code, changes()]).toEqual([2, 0])
	const applied = await bench.json('list', 'import', list.name, '--apply', plan)
	expect(applied).toMatchObject({data: {job: {counts: {done: 1}}}})
})

test('many hashes need their number typed', async () => {
	const hashes = Array.from({length: 51}, fresh)
	const source = bench.file('many.txt', hashes.join('\n'))
	const refused = await cordon('list', 'import', list.guid, '--file', source, ...reason)
	expect([refused.code, changes()]).toEqual([2, 0])
	const sent = await bench.json('list', 'import', list.guid, '--file', source, ...reason, '--confirm', '51')
	expect(sent).toMatchObject({data: {job: {counts: {done: 51}}}})
})

test('one refused hash does not stop the others', async () => {
	const [one, two, three] = [fresh(), fresh(), fresh()]
	bench.sandbox.weather.set([`POST *${one}*=status:400`])
	const source = bench.file('part.txt', [one, two, three].join('\n'))
	const answer = await bench.json('list', 'import', list.guid, '--file', source, ...reason)
	expect(answer).toMatchObject({code: 1, ok: false, data: {job: {counts: {done: 2, failed: 1}}}})
})

test('a list is compared with a file', async () => {
	const only = fresh()
	const answer = await bench.json('list', 'diff', list.name, '--file', bench.file('diff.txt', `${only}\n${'1a'.repeat(16)}`))
	expect(answer).toMatchObject({code: 0, message: expect.stringContaining('1 not SHA-256: skipped.'), data: {onlyThere: [only], both: 0}})
})

test('missing arguments are reported before anything is sent', async () => {
	const source = bench.file('none.txt', 'no hash at all\n')
	expect(await cordon('list', 'import', list.name, '--file', source)).toMatchObject({code: 2})
	expect(await cordon('list', 'import', list.name, ...reason)).toMatchObject({code: 2})
	expect(bench.sandbox.requests).toEqual([])
	expect(await cordon('list', 'import', list.name, '--file', source, ...reason)).toMatchObject({code: 2})
	expect(await cordon('list', 'export', 'No such list')).toMatchObject({code: 3})
	expect(changes()).toBe(0)
})

test('a hash that stored events call clean is typed before a command lists it, as in the window', async () => {
	const sha256 = fresh()
	const {data: connections} = await bench.json('connections', 'list')
	const path = join(bench.folder, 'profile', 'events', `${connections[0].id}.db`)
	openEventFile(path).close()
	const database = openEventsForWriting(path)
	const file = {disposition: 'Clean', file_name: 'setup.exe', identity: {sha256}}
	const event = {...generatedEvent(0, {count: 1, days: 1}), file}
	makeEventWriter(database).put({records: [event], readAt: endOfTime, span: null, reading: null})
	database.close()
	const add = ['svc_set_file_list_files_by_sha', '--file_list_guid', list.guid, '--sha256', sha256]
	bench.sandbox.clearRequests()
	const refused = await cordon(...add)
	expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('needs a reason')])
	const untyped = await cordon(...add, ...reason)
	expect([untyped.code, untyped.err, changes()]).toEqual([2, expect.stringMatching(/Stored events call [0-9a-f]{8} clean/), 0])
	expect((await cordon(...add, ...reason, '--confirm', sha256.slice(0, 8))).code).toBe(0)
	// Undoing a removal is judged in the same way.
	expect((await cordon('svc_delete_file_list_files_by_sha', ...add.slice(1))).code).toBe(0)
	const [removal] = (await bench.json('undo', 'list')).data
	bench.sandbox.clearRequests()
	expect((await cordon('undo', 'apply', removal.id)).code).toBe(2)
	expect(changes()).toBe(0)
	expect((await cordon('undo', 'apply', removal.id, '--confirm', sha256.slice(0, 8))).code).toBe(0)
})

test('a program of this system, hashed by an earlier console, is typed as well', async () => {
	const folderOfPrograms = mkdtempSync(join(bench.folder, 'bin-'))
	const program = join(folderOfPrograms, 'login')
	writeFileSync(program, 'a program of this system', {mode: 0o755})
	const path = join(bench.folder, 'profile', 'system-files.db')
	const files = createSystemFiles({path, folders: [folderOfPrograms], onTrouble: () => {}})
	files.look()
	await expect.poll(() => files.progress()).toEqual({known: 1, of: 1})
	await files.stop()
	const sha256 = hash('sha256', 'a program of this system', 'hex')
	bench.sandbox.clearRequests()
	const {code, err} = await cordon(...['svc_set_file_list_files_by_sha', '--file_list_guid', list.guid, '--sha256', sha256, ...reason])
	expect([code, changes()]).toEqual([2, 0])
	expect(err).toContain(program)
})
