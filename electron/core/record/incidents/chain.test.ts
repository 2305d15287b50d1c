import {join} from 'node:path'

import {openDatabase} from '#core/store/database.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {chainStart, verifyPart} from './chain.ts'
import {openIncidentLog} from './log.ts'
import {logOf, noteOf, rawFile} from './testing/log-of.ts'
import type {IncidentLog} from './types.ts'

let world: World
let log: IncidentLog

beforeEach(async () => {
	world = createWorld()
	log = logOf(world)
	for (const message of ['one', 'two', 'three', 'four', 'five']) await note(message)
})

async function note(message: string) {
	await log.append(noteOf(message))
}

const exported = async (...asked: Parameters<IncidentLog['export']>) => (await Array.fromAsync(log.export(...asked))).join('')

/** As somebody with another program would, who knows of the triggers. */
async function tamper(sql: string) {
	await log.stop()
	const database = rawFile(world)
	const triggers = ['entry_in_order', 'entry_no_update', 'entry_no_delete', 'chain_no_update', 'chain_no_delete']
	database.exec(triggers.map(name => `DROP TRIGGER ${name};`).join(''))
	database.exec(sql)
	database.close()
	log = logOf(world)
}

describe('the chain of an untouched log', () => {
	test('holds, and its head moves with every entry', async () => {
		const before = await log.verify()
		expect(before).toMatchObject({checked: 5, broken: null, head: {seq: 5}})
		await note('six')
		const after = await log.verify()
		expect(after).toMatchObject({checked: 6, broken: null, head: {seq: 6}})
		expect(after.head?.hash).not.toBe(before.head?.hash)
	})

	test('holds also while another process appends', () => {
		const [path, other] = [join(world.folder, 'incidents.db'), logOf(world)]
		const database = openDatabase(path, {synchronous: 'NORMAL'})
		const part = verifyPart(work => {
			const read = work(database)
			other.note({kind: 'note', surface: 'cli', message: 'meanwhile'})
			return read
		}, chainStart)
		database.close()
		expect(part).toMatchObject({checked: 6, broken: null})
	})

	test('is empty where the log is', async () => {
		const other = openIncidentLog({...world, path: join(world.folder, 'other.db'), operator: 'ada'})
		expect(await other.verify()).toMatchObject({checked: 0, head: null, broken: null})
		await other.stop()
	})

	test('takes in what an older version wrote, with the next entry', async () => {
		await tamper('DELETE FROM chain WHERE seq > 3')
		expect(await log.verify()).toMatchObject({checked: 3, broken: null})
		await note('six')
		expect(await log.verify()).toMatchObject({checked: 6, broken: null})
	})
})

describe('the chain shows where it is broken', () => {
	test.each([
		['an entry was changed', "UPDATE entry SET message = 'nothing happened' WHERE seq = 3", 3],
		['the operator of an entry was changed', "UPDATE entry SET operator = 'eve' WHERE seq = 1", 1],
		['a link was changed', "UPDATE chain SET hash = 'x' WHERE seq = 2", 2],
		['an entry was taken out', 'DELETE FROM entry WHERE seq = 3', 4],
		['the end was cut off', 'DELETE FROM entry WHERE seq > 3', 4],
		['a link was taken out', "UPDATE entry SET message = 'nothing happened' WHERE seq = 3; DELETE FROM chain WHERE seq = 3", 3],
		['one was put before the first', "INSERT INTO entry (seq, id, at, kind, operator, surface, message) VALUES (-1, 'x', '', '', '', '', '')", -1]
	])('%s', async (_what, sql, seq) => {
		await tamper(sql)
		const {entries} = await log.query({after: seq - 1, limit: 1})
		expect((await log.verify()).broken).toMatchObject({seq, id: entries[0]?.id ?? null})
	})

	test('and the log is written all the same', async () => {
		await tamper('DELETE FROM entry WHERE seq = 5; DELETE FROM entry WHERE seq = 2; DELETE FROM chain WHERE seq > 1')
		await note('goes on')
		expect((await log.query({limit: 1})).entries[0]?.message).toBe('goes on')
		expect((await log.verify()).broken).toMatchObject({seq: 3})
	})
})

describe('a report', () => {
	const evil = '<img src=x onerror=alert(1)> **bold** `x` [a](http://b)\n# heading'

	test('in Markdown holds the incident and its entries, and escapes every mark', async () => {
		const {id} = await log.openIncident({title: 'Beacon <b>', reference: 'INC-7'}, 'screen')
		await log.append(noteOf(evil, {incident: id}))
		const hidden = {command: 'svc_get_computers', args: {hostname: 'cod\u202egnp'}, message: 'cod&#8238;gnp'}
		await log.append({...hidden, kind: 'command.requested', surface: 'screen', incident: id})
		const text = await exported({incident: id}, 'md')
		expect(text).toContain('# Incident: Beacon \\<b\\>')
		expect(text).toContain('- Reference: INC-7')
		expect(text).toContain('\\<img src=x onerror=alert(1)\\> \\*\\*bold\\*\\* \\`x\\` \\[a\\](http://b)  \n\\# heading')
		expect(text).toMatch(/cod\\&\\#8238;gnp[^]*hostname=cod‹U\+202E›gnp/)
		expect(text).not.toMatch(/^(?:one|two)$/m)
	})

	test('in HTML holds no element of anybody else and allows no script', async () => {
		const args = {hostname: '"><script>alert(1)</script>'}
		await log.append({kind: 'command.requested', surface: 'screen', message: evil, command: 'svc_get_computers', args})
		const text = await exported({}, 'html')
		expect(text).toContain("content=\"default-src 'none'")
		expect(text).not.toMatch(/<img|<script|<b>/)
		expect(text).toContain('&lt;img src=x')
		expect(text).toContain('!svc_get_computers')
	})

	test('tells a change once, with reason and outcome, its entries inside', async () => {
		const request = {kind: 'command.requested', surface: 'screen', message: 'Isolate A.'} as const
		const {id} = await log.append({...request, args: {comment: 'Beaconing [INC-7]'}})
		await note('Called.')
		await log.append({kind: 'command.succeeded', surface: 'screen', about: id, message: 'Accepted.'})
		const sections = (text: string) => text.split('\n').filter(line => line.startsWith('<section>'))
		const lines = sections(await exported({}, 'html'))
		expect(lines.filter(line => line.includes('Called.'))).toHaveLength(1)
		const change = lines.find(line => line.includes('Isolate A.'))
		expect(change).toMatch(/Succeeded<.*Isolate A\. Accepted\..*<dd>Beaconing<.*<dd>INC-7<.*<details><summary>2 entries<.*Requested<.*Succeeded</)
		expect(sections(await exported({text: 'Accepted'}, 'html'))).toEqual([change])
		const [, section] = (await exported({text: 'Accepted'}, 'md')).split(/^## /m)
		expect(section).toMatch(
			/^.* · Succeeded\n\nIsolate A\. Accepted\.\n\n- Reason: Beaconing\n- Ticket: INC-7\n\n### .* · Requested\n[^]*### .* · Succeeded\n/
		)
		const observed = {kind: 'command.observed', command: 'svc_put_computers_isolation', data: {state: 'not_isolated'}} as const
		await log.append({...observed, surface: 'screen', about: id, message: 'Not done.'})
		expect(await exported({text: 'Accepted'}, 'md')).toMatch(/^## .* · Not confirmed$/m)
	})
})
