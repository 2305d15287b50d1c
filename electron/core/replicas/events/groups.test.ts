import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import {inTurns} from '#base/testing/until.ts'
import type {EventRow} from '#contract/events.ts'

import {computedMs} from '#base/testing/cpu.ts'
import {groupsOf, makeGroups, worstFirst} from './groups.ts'
import {openEventFile} from './schema.ts'

function row(key: string, minutes: number, change: Partial<EventRow> = {}): EventRow {
	const at = new Date(Date.UTC(2026, 0, 15, 12, minutes)).toISOString()
	return {
		...{key, id: key, at, typeId: 1, type: 'Threat Detected', severity: 'medium', detection: `W32.${key}`, about: null},
		...{detectionId: null, outcome: 'quarantined', guid: key, hostname: key, user: null, groupGuids: [], sha256: null},
		...{parent: null, fileName: null, filePath: null, disposition: null, remote: null, url: null, odd: false, ...change}
	}
}

test.each<[string, Partial<EventRow>, Partial<EventRow>, number, number]>([
	['one detection', {detectionId: '7'}, {detectionId: '7'}, 90_000, 1],
	['a hash', {sha256: 'a'}, {sha256: 'a'}, 1440, 1],
	['a parent after its child', {parent: 'a'}, {sha256: 'a'}, 60, 1],
	['a parent on two computers', {parent: 'a'}, {parent: 'a'}, 1, 2],
	['a parent on one computer', {parent: 'a', guid: 'x'}, {parent: 'a', guid: 'x'}, 90, 1],
	['one computer later', {guid: 'x'}, {guid: 'x'}, 61, 2],
	['one user', {user: 'CORP\\Kim'}, {user: 'kim'}, 30, 1],
	['an account of many computers', {user: 'SYSTEM'}, {user: 'SYSTEM'}, 0, 2]
])('%s', async (_what, one, other, minutes, count) => {
	const rows = [row('a1', 0, one), row('b2', minutes, {...other, severity: 'high', outcome: 'failed'})]
	const groups = worstFirst(await groupsOf(rows))
	expect(groups).toHaveLength(count)
	expect(groups[0]).toMatchObject({severity: 'high', stopped: false, keys: expect.arrayContaining(['b2'])})
	expect(worstFirst(await groupsOf(rows.toReversed()))).toEqual(groups)
})

test('of its files the malicious one is named first, and a clean program last', async () => {
	const file = (sha256: string, disposition: string | null) => row(sha256, 1, {guid: 'pc', sha256, disposition})
	const rows = [file('word', 'Clean'), file('new', null), file('bad', 'Malicious'), {...file('bad', 'Clean'), key: 'x'}]
	expect(worstFirst(await groupsOf(rows))).toMatchObject([{hashes: ['bad', 'new', 'word'], suspect: 'bad'}])
	expect(worstFirst(await groupsOf(rows.slice(0, 1)))).toMatchObject([{hashes: ['word'], suspect: null}])
})

test('groups that are made when the file is closed are given up', async () => {
	const database = openEventFile(join(testFolder(), 'events.db'))
	database.run('INSERT INTO chain VALUES (1, 1)')
	const groups = makeGroups(database)()
	database.close()
	await expect(groups).rejects.toMatchObject({code: 'cancelled'})
})

test('100,000 events are grouped within seconds, and in turns', async () => {
	const rows = Array.from({length: 100_000}, (_, index) =>
		row(`${index}`, index % 40_000, {guid: `${index % 5000}`, sha256: `${index % 3000}`, parent: `${index % 700}`})
	)
	const begun = computedMs()
	const {result, turns} = await inTurns(groupsOf(rows))
	expect(result.size).toBe(100_000)
	expect(computedMs() - begun).toBeLessThan(15_000)
	expect(turns).toBeGreaterThan(2)
})
