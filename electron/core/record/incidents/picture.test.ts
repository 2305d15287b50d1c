/** The sums of the pictures, added to from time to time, beside those of all entries at once. */

import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'

import {createWorld, type World} from '#core/store/testing/world.ts'
import {inThread} from '#core/store/async.ts'
import {openDatabase} from '#core/store/database.ts'
import {allOf, conditionsOf} from './filter.ts'
import {sliceSize} from './locate.ts'
import {incidentLog} from './log.ts'
import {mostLanes, openSqliteLog} from './sqlite-log.ts'
import {guid, logOf, noteOf, rawFile} from './testing/log-of.ts'
import type {IncidentLog, LogSearch} from './types.ts'

let world: World
let kept: IncidentLog

const open = (operator: string) => logOf(world, operator)

beforeEach(() => {
	world = createWorld()
	kept = open('ada')
})

const questions: LogSearch[] = [{}, {text: 'lt-1'}, {operator: 'bea'}, {target: 'fin-lt-2'}, {writesOnly: true}, {pinned: true}]

async function pictures(log: IncidentLog) {
	return await Promise.all(questions.map(async query => await log.picture(query)))
}

/** By a log that has seen none of it yet. */
async function fresh() {
	return await pictures(open('reader'))
}

async function isolate(log: IncidentLog, host: number) {
	const guid = `0000000${host}-AAAA-4000-8000-000000000000`
	const about = {surface: 'screen', command: 'svc_put_computers_isolation'} as const
	const target = {guid: host % 2 === 0 ? guid.toLowerCase() : guid, label: `FIN-LT-${host}`}
	const intent = await log.append({...about, kind: 'command.requested', target, message: `Isolate FIN-LT-${host}.`})
	await log.append({...about, kind: 'command.succeeded', about: intent.id, target, message: `Asked for: FIN-LT-${host}.`})
	return intent
}

test('running sums equal those of all entries at once, whoever wrote them', async () => {
	const beside = open('bea')
	expect(await pictures(kept)).toEqual(await fresh())
	for (let index = 0; index < 24; index += 1) {
		const intent = await isolate(index % 3 === 0 ? beside : kept, (index * 5) % 9)
		if (index % 6 === 0) await kept.setPinned({id: intent.id, pinned: index !== 12, reason: '', incident: null, surface: 'screen'})
		await world.clock.advance(index % 5 === 0 ? 40 * 3_600_000 : -600_000)
		expect(await pictures(kept)).toEqual(await fresh())
	}
})

test('they count each entry once: lanes by the newest entry, changes in steps that hold all of the time', async () => {
	const start = world.clock.now()
	for (const host of [1, 2, 3, 1]) await isolate(kept, host)
	expect(await kept.picture({})).toMatchObject({hosts: 3, stepHours: 1, writes: [{operator: 'ada', count: 4}]})
	await world.clock.advance(200 * 3_600_000)
	await isolate(kept, 2)
	const {lanes, writes, stepHours} = await kept.picture({})
	expect(lanes.map(({label, entries, marks}) => [label, entries, marks.length])).toEqual([
		['FIN-LT-2', 4, 4],
		['FIN-LT-1', 4, 4],
		['FIN-LT-3', 2, 2]
	])
	expect(stepHours).toBe(3)
	expect(writes.map(({count}) => count)).toEqual([4, 1])
	expect(Date.parse(writes[0]?.hour ?? '')).toBe(Math.floor(start / 3_600_000) * 3_600_000)
})

test('an isolation that was not carried out has another mark than one that was', async () => {
	const observed = {kind: 'command.observed', surface: 'cli', target: {guid: 'g', label: 'FIN-1'}, message: ''} as const
	for (const command of ['svc_put_computers_isolation', 'svc_delete_computers_isolation', 'svc_move_computer'])
		await kept.append({...observed, command, data: command.endsWith('isolation') ? {state: 'not_isolated'} : null})
	const {lanes} = await kept.picture({})
	expect(lanes[0]?.marks.map(({missed}) => missed)).toEqual([undefined, undefined, true])
})

test('an entry that is not pinned any more leaves the picture of the pinned ones', async () => {
	const {id} = await isolate(kept, 1)
	const pin = {id, reason: '', incident: null, surface: 'screen' as const}
	await kept.setPinned({...pin, pinned: true})
	expect(await kept.picture({pinned: true})).toMatchObject({hosts: 1, lanes: [{entries: 1}]})
	await kept.setPinned({...pin, pinned: false})
	expect(await kept.picture({pinned: true})).toMatchObject({hosts: 0, lanes: []})
})

async function fillLong() {
	expect(await kept.newest()).toBe(0)
	rawFile(world).exec(`WITH RECURSIVE given (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM given WHERE n < ${sliceSize + 9})
		INSERT INTO entry (seq, id, at, kind, target_guid, operator, surface, command, message)
		SELECT n, n, '2026-01-01T01', 'command.requested', n % 9, '', 'cli', 'svc_move_computer', '' FROM given`)
}

test('a long log is summed up in slices, and no further when nobody waits', async () => {
	await fillLong()
	await expect(kept.picture({}, AbortSignal.abort())).rejects.toThrow('abort')
	expect(await kept.picture({})).toMatchObject({hosts: 9, writes: [{count: sliceSize + 9}]})
})

test('more charts asked for at once than are kept do not push one another out', async () => {
	await fillLong()
	const options = {...world, path: join(world.folder, 'incidents.db'), operator: 'ada'}
	const {picture, ...rest} = inThread(openSqliteLog(options))
	let slices = 0
	const log = incidentLog({...rest, picture: async query => ((slices += 1) > 99 ? Promise.reject(new Error('no end')) : picture(query))}, options)
	const asked = Array.from({length: 9}, (_, index) => log.picture({since: `2025-01-0${index + 1}`}))
	expect((await Promise.all(asked)).map(({hosts}) => hosts)).toEqual(Array(9).fill(9))
	await log.stop()
})

test('the marks of a few lanes are found by their targets, whatever kinds and commands are asked for', async () => {
	await kept.newest()
	const database = openDatabase(join(world.folder, 'incidents.db'), {synchronous: 'NORMAL'})
	const plans = [{writesOnly: true}, {command: 'svc_move_computer'}, {kinds: ['command.requested' as const]}].map(filter => {
		const {sql, params} = allOf(conditionsOf({...filter, byTarget: true}))
		const select = `EXPLAIN QUERY PLAN SELECT * FROM entry WHERE ${sql} AND target_guid IN (${Array(mostLanes).fill('?').join()})`
		return database.all<{detail: string}>(`${select} AND seq <= 9 ORDER BY seq DESC`, ...params, ...Array<string>(mostLanes).fill(''))[0]?.detail
	})
	database.close()
	for (const plan of plans) expect(plan).toContain('entry_target')
})

test('a word in letters beyond ASCII finds the marks of its lanes as well', async () => {
	await kept.append(noteOf('Seen.', {target: {guid, label: 'MÜLLER-PC'}}))
	await kept.query({text: 'seen', limit: 1})
	// The index is filled behind the first search.
	await setImmediate()
	expect((await kept.picture({text: 'müller'})).lanes).toMatchObject([{entries: 1, marks: [{}]}])
})
