/** The log over two adapters, SQLite and PostgreSQL: callers see the same. */
import {join} from 'node:path'

import {createWorld, type World} from '#core/store/testing/world.ts'
import {inThread, type AsyncOf} from '#core/store/async.ts'
import {incidentLog} from './log.ts'
import {openSqliteLog} from './sqlite-log.ts'
import {guid, isolate} from './testing/log-of.ts'
import {openPostgresLog} from './testing/postgres-log.ts'
import {postgresPrograms, startPostgres, type PostgresServer} from './testing/postgres-server.ts'
import type {IncidentLog, LogRepository} from './types.ts'

const bin = postgresPrograms()
if (bin === undefined)
	process.stderr.write('SKIPPED: the incident log over PostgreSQL. PostgreSQL is not installed (apt-get install postgresql).\n')

const other = 'a1fbcdb6-0a14-4e39-867e-02f5e1649497'
/** Does the same to any log, and tells all that it answers. */
async function story(log: IncidentLog, world: World): Promise<unknown> {
	const answers: unknown[] = []
	const tell = (answer: unknown) => void answers.push(answer)
	const incident = await log.openIncident({title: 'Phishing', reference: 'INC-7'}, 'screen')
	const intent = await log.append(isolate({incident: incident.id, data: {id: 6_419_204_901_661_835_278n}}))
	await world.clock.advance(60_000)
	const lost = await log.append(isolate({target: {guid: other.toUpperCase(), label: 'EU-Server'}}))
	const outcome = {kind: 'command.succeeded', surface: 'screen', about: intent.id, message: 'Accepted.'} as const
	tell(await log.appendOnce({...outcome, durationMs: 12.5, status: 200, requestId: 'r-1'}, ['command.succeeded']))
	tell(await log.appendOnce(outcome, ['command.succeeded']))
	await log.append({...isolate(), kind: 'command.observed', about: intent.id, message: 'Not done.', data: {state: 'not_isolated'}})
	await Promise.all(Array.from({length: 40}, (_, index) => log.append({kind: 'note', surface: 'cli', message: `Übergabe ${index}`})))
	const pin = {id: intent.id, pinned: true, incident: null, surface: 'cli'} as const
	tell(await log.setPinned({...pin, reason: 'proof'}))
	tell(await log.setPinned({...pin, reason: 'again'}))
	tell(await log.setPinned({...pin, id: 'x', reason: ''}).catch(String))
	tell(await log.setIncidentOpen(incident.id, false, 'cli'))
	tell(await log.append({...isolate(), data: {api_key: 'x'}}).catch(String))
	const all = {limit: 10} as const
	for (const filter of [
		...[{}, {text: 'ÜBERGABE 3'}, {text: 'fin-laptop'}, {text: '0_'}, {text: intent.id.slice(-10)}],
		...[{target: guid.toUpperCase()}, {connection: 'acme', writesOnly: true}, {pinned: true}, {state: 'isolated'}, {after: 40}],
		...[
			{kinds: ['note' as const], before: 20},
			{since: '2026-03-01T12:00:30Z', operator: 'ada'}
		]
	])
		tell(await log.query({...all, ...filter}))
	tell(await log.query({...all, since: 'soon'}).catch(String))
	tell([await log.openChanges(), await log.thread(lost.id), await log.about('c1', guid, 5), await log.entry('none')])
	tell([await log.newest(), await log.linesAfter({text: 'Übergabe'}, 30, 99), await log.entriesAt([3, 1, 99])])
	tell([await log.linesAfter({}, 0, 99), await log.stepsOf([intent.id, lost.id])])
	tell([await log.earliestAfter(1), await log.earliestAfter(999), await log.seqsBefore(['2026-03-01T12:00:30Z', ''])])
	tell([await log.people(), [...(await log.pins())], await log.picture({}), await log.incidents(), await log.verify()])
	for (const format of ['jsonl', 'csv', 'md'] as const) tell(await Array.fromAsync(log.export({}, format)))
	return answers
}

let world: World
beforeEach(() => (world = createWorld()))

/** Time and chance start again with each world, so that ids are the same. */
async function told(open: (of: World) => Promise<AsyncOf<LogRepository>>): Promise<unknown> {
	let drawn = 0
	const own = {...createWorld(), random: (bytes: number) => new Uint8Array(bytes).fill((drawn += 1))}
	const log = incidentLog(await open(own), {clock: own.clock})
	try {
		return await story(log, own)
	} finally {
		await log.stop()
	}
}

describe.skipIf(bin === undefined)('over PostgreSQL', () => {
	let server: PostgresServer
	beforeAll(async () => {
		server = await startPostgres(bin ?? '')
	})
	afterAll(() => server?.stop())

	const open = ({clock, random}: World, operator = 'ada') => openPostgresLog({...server, clock, random, operator})

	test('every answer is the one that SQLite gives', async () => {
		const sqlite = await told(async ({folder, clock, random}) =>
			inThread(openSqliteLog({path: join(folder, 'incidents.db'), clock, random, operator: 'ada'}))
		)
		expect(await told(own => open(own))).toEqual(sqlite)
	})

	test('many that append at once make one chain; an entry is there when its promise says so, and stays', async () => {
		const logs = await Promise.all(['ada', 'grace', 'kim'].map(operator => open(world, operator)))
		const before = await logs[0]?.newest()
		const note = (message: string) => ({kind: 'note', surface: 'cli', message}) as const
		const added = await Promise.all(logs.flatMap(log => Array.from({length: 30}, (_, index) => log.append(note(`${index}`)))))
		expect(added.map(({seq}) => seq).toSorted((one, last) => one - last)).toEqual(
			Array.from({length: 90}, (_, index) => (before ?? 0) + index + 1)
		)
		await server.kill()
		await expect(logs[0]?.append(note('while it is down'))).rejects.toMatchObject({code: 'log_unavailable'})
		await server.start()
		const log = incidentLog(await open(world), {clock: world.clock})
		expect(await log.newest()).toBe((before ?? 0) + 90)
		expect(await log.verify()).toMatchObject({checked: (before ?? 0) + 90, broken: null})
		await Promise.all([...logs.map(each => each.stop()), log.stop()])
	})
})
