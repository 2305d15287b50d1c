import {createWorld, type World} from '#core/store/testing/world.ts'
import {guid, logOf, noteOf} from './testing/log-of.ts'
import type {IncidentLog} from './types.ts'

let world: World
let log: IncidentLog

beforeEach(() => {
	world = createWorld()
	log = logOf(world)
})

const note = async (message: string) => await log.append(noteOf(message))
const pin = async (id: string, pinned = true, reason = '') => await log.setPinned({id, pinned, reason, incident: null, surface: 'screen'})
const pinnedSeqs = async () => (await log.query({pinned: true, limit: 100})).entries.map(({seq}) => seq)

describe('a pin', () => {
	test('is an entry of the chain about the entry, which stays as it was', async () => {
		const entry = await note('beacon to 82.165.37.127')
		const pinned = await pin(entry.id, true, 'first sign')
		expect(pinned).toMatchObject({seq: 2, kind: 'evidence.pinned', about: entry.id, operator: 'ada'})
		const {head} = await log.verify()
		expect(pinned?.data).toEqual({reason: 'first sign', seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/)})
		expect(head?.seq).toBe(2)
		expect(await log.entry(entry.id)).toEqual(entry)
		expect(await pinnedSeqs()).toEqual([1])
		expect((await log.pins()).get(entry.id)).toMatchObject({by: 'ada', reason: 'first sign'})
	})

	test('is removed by a further entry, and can be set again', async () => {
		const entry = await note('a')
		await pin(entry.id)
		expect(await pin(entry.id, false)).toMatchObject({seq: 3, kind: 'evidence.unpinned'})
		expect(await pinnedSeqs()).toEqual([])
		await pin(entry.id)
		expect(await pinnedSeqs()).toEqual([1])
		expect((await log.query({limit: 100})).matching).toBe(4)
	})

	test('that exists already adds nothing', async () => {
		const entry = await note('a')
		expect(await pin(entry.id, false)).toBeNull()
		await pin(entry.id)
		expect(await pin(entry.id)).toBeNull()
		expect((await log.query({limit: 100})).matching).toBe(2)
	})

	test('stays when more is told about its entry', async () => {
		const entry = await log.append({kind: 'command.requested', surface: 'screen', message: 'Isolate FIN-7.'})
		await pin(entry.id)
		await log.append({kind: 'command.succeeded', surface: 'screen', about: entry.id, message: 'Accepted.'})
		expect([await pinnedSeqs(), [...(await log.pins()).keys()]]).toEqual([[1], [entry.id]])
	})

	test('is refused about nothing and about a pin', async () => {
		const entry = await note('a')
		const pinned = await pin(entry.id)
		await expect(() => pin('nothing')).rejects.toThrow('no entry nothing')
		await expect(() => pin(pinned?.id ?? '')).rejects.toThrow('A pin is not pinned itself')
	})

	test('of a change outside Cordon holds its evidence itself and is removed like any other', async () => {
		const data = {record: {event: 'update'}}
		const own = await log.append({kind: 'evidence.pinned', surface: 'screen', message: 'Somebody moved FIN-7.', data})
		expect(await pinnedSeqs()).toEqual([own.seq])
		await pin(own.id, false)
		expect(await pinnedSeqs()).toEqual([])
	})

	test('is in every export', async () => {
		const entry = await note('beacon')
		await note('another')
		await pin(entry.id, true, '=cmd|first')
		const [header = '', first = '', second = ''] = await Array.fromAsync(log.export({kinds: ['note']}, 'csv'))
		expect(header).toContain(',pinned,pinned_for,')
		expect(first).toContain(`,2026-03-01T12:00:00.000Z,'=cmd|first,`)
		expect(second).not.toContain('cmd')
		expect(await Array.fromAsync(log.export({pinned: true}, 'jsonl'))).toEqual([
			expect.stringMatching(/"pinned":\{"at":"2026-03-01T12:00:00.000Z","by":"ada","reason":"=cmd\|first"\}\}\n$/)
		])
		expect((await Array.fromAsync(log.export({}, 'md'))).join('')).toContain('- Evidence: pinned 2026-03-01 12:00:00 by ada: =cmd')
		expect((await Array.fromAsync(log.export({}, 'html'))).join('')).toContain('<dt>Evidence</dt><dd>pinned 2026-03-01 12:00:00 by ada')
	})
})

test('filters find a person, a time, a hash and what is pinned, also together', async () => {
	const sha256 = 'ab'.repeat(32)
	const first = await note(`seen ${sha256.toUpperCase()}`)
	await world.clock.advance(60_000)
	await note('later')
	await pin(first.id)
	const seqs = async (query: Partial<Parameters<IncidentLog['query']>[0]>) =>
		(await log.query({limit: 100, ...query})).entries.map(({seq}) => seq)
	expect(await seqs({hash: sha256})).toEqual([3, 1])
	expect(await seqs({hash: sha256, pinned: true})).toEqual([1])
	expect(await seqs({operator: 'ada', until: '2026-03-01T12:01:00Z'})).toEqual([1])
	expect(await seqs({operator: 'grace'})).toEqual([])
	expect(await log.people()).toEqual(['ada'])
})

describe('the picture', () => {
	test('has a lane for each host that was touched, and the changes of each person in each hour', async () => {
		const command = {surface: 'screen', command: 'svc_put_computers_isolation'} as const
		const change = async (label: string, target: string) =>
			await log.append({kind: 'command.requested', ...command, target: {guid: target, label}, message: `Isolate ${label}.`})
		const first = await change('FIN-7', guid)
		const {id: about, target} = first
		await log.append({kind: 'command.succeeded', ...command, about, target, message: 'Accepted.'})
		await world.clock.advance(3_600_000)
		await change('FIN-7', guid.toUpperCase())
		await change('HR-1', 'other')
		const {lanes, hosts, writes} = await log.picture({})
		expect(hosts).toBe(2)
		expect(lanes.map(({label, entries, marks}) => [label, entries, marks.length])).toEqual([
			['HR-1', 1, 1],
			['FIN-7', 3, 3]
		])
		expect(writes).toEqual([
			{operator: 'ada', hour: '2026-03-01T12:00:00.000Z', count: 1},
			{operator: 'ada', hour: '2026-03-01T13:00:00.000Z', count: 2}
		])
		expect((await log.picture({text: 'Accepted'})).lanes).toHaveLength(1)
	})

	test('leaves no change out of a long time: its steps are longer', async () => {
		for (let day = 0; day < 200; day += 1) {
			await log.append({kind: 'command.requested', surface: 'screen', command: 'svc_move_computer', message: 'Move it.'})
			await world.clock.advance(24 * 3_600_000)
		}
		const {writes, stepHours} = await log.picture({})
		expect(stepHours).toBe(50)
		expect(writes[0]?.hour).toBe('2026-03-01T12:00:00.000Z')
		expect(writes.length).toBeLessThanOrEqual(96)
		expect(writes.reduce((sum, {count}) => sum + count, 0)).toBe(200)
	})
})
