/** Windows of the joined log with its caches, compared to the plain way: all rows, merged anew each time. */
import {join} from 'node:path'

import {logOf} from '#core/record/incidents/testing/log-of.ts'
import {sliceSize} from '#core/record/incidents/locate.ts'
import type {IncidentLog, LogSearch} from '#core/record/incidents/types.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {createJoinedLog, type JoinedRequest} from './joined.ts'
import {openAuditStore, type AuditQuery, type AuditStore} from './store.ts'

let world: World
let log: IncidentLog
let store: AuditStore
let joined: ReturnType<typeof createJoinedLog>

beforeEach(() => {
	world = createWorld()
	log = logOf(world)
	joined = createJoinedLog(() => log)
	store = openAuditStore(join(world.folder, 'audit.db'))
})
afterEach(() => store.stop())

const note = async (message: string) => await log.append({kind: 'note', surface: 'screen', message})

let keys = 0

function elsewhere(at: number, message: string, into = store) {
	const time = new Date(at).toISOString()
	const record = {at: time, serviceAt: time, user: 'mara', event: 'update', type: 'Computer', target: null, changes: []}
	into.keep([{...record, key: `k${(keys += 1)}`, message}], new Map())
}

/** Each entry below the records above it, by walking everything. */
async function plainly({query, offset, limit, upTo = Infinity}: JoinedRequest, asked: AuditQuery) {
	const every = (await log.query({limit: 5000})).entries
	const matching = (await log.query({...query, limit: 5000})).entries
	const heads = new Map(matching.map(entry => every.find(({id}) => id === entry.about) ?? entry).map(head => [head.id, head]))
	const own = Array.from(heads.values(), ({seq, id}) => ({seq, key: id, isOwn: true}))
	const others = store.newest(asked, 5000).map(({at, key}) => {
		const before = every.filter(entry => entry.at < at)
		const last = before.toSorted((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1)).at(-1)
		return {seq: last?.seq ?? 0, key, isOwn: false}
	})
	const rows = [...others, ...own].filter(({seq}) => seq <= upTo).toSorted((one, other) => other.seq - one.seq)
	return {
		keys: rows.slice(offset, offset + limit).map(({key}) => key),
		matching: rows.length,
		own: matching.length,
		lines: own.length,
		elsewhere: others.length,
		newer: own.length + others.length - rows.length,
		newest: every[0]?.seq ?? 0
	}
}

const questions: [LogSearch, AuditQuery][] = [
	[{}, {}],
	[{text: 'even'}, {text: ['even']}],
	[{operator: 'mara'}, {user: 'mara'}]
]

/** All windows of a query. */
async function windows(ask: (request: JoinedRequest, asked: AuditQuery) => object): Promise<Readonly<Record<string, object>>> {
	const newest = await log.newest()
	const requests = questions.flatMap(([query, asked]) =>
		[undefined, newest - 3, 2].flatMap(upTo => [0, 1, 7, 20, 61, 900].map(offset => ({request: {query, offset, limit: 9, upTo}, asked})))
	)
	return Object.fromEntries(await Promise.all(requests.map(async ({request, asked}) => [JSON.stringify(request), await ask(request, asked)])))
}

const plainWindows = async () => await windows(plainly)

async function keptWindows() {
	return await windows(async request => {
		const {rows, offset: _offset, ...sums} = await joined(store, request)
		return {keys: rows.map(row => (row.kind === 'own' ? row.entry.id : row.record.key)), ...sums}
	})
}

const expectSame = async () => expect(await keptWindows()).toEqual(await plainWindows())

test('windows equal those merged anew, whatever was added since, even after a clock was set back', async () => {
	const start = world.clock.now()
	await expectSame()
	let intent: string | null = null
	for (let index = 0; index < 40; index += 1) {
		const about: string | null = index % 5 === 3 ? intent : null
		const kind = about === null ? 'command.requested' : 'command.succeeded'
		if (about === null) intent = null
		// A clock one minute behind writes every seventh.
		await world.clock.advance(index % 7 === 3 ? -60_000 : 10_000)
		const message = `entry ${index} ${index % 2 === 0 ? 'even' : 'odd'}`
		const {id} = await log.append({kind, about, surface: 'screen', message})
		intent ??= id
		if (index % 3 === 0) elsewhere(start + index * 4000, `change ${index} ${index % 2 === 0 ? 'even' : 'odd'}`)
		if (index % 8 === 0) await expectSame()
	}
	await expectSame()
	// Later than all of ours, then ours later still, then earlier ones of ours.
	elsewhere(world.clock.now() + 30_000, 'even later')
	await expectSame()
	await world.clock.advance(10_000)
	await note('before it, even')
	await expectSame()
	await world.clock.advance(60_000)
	await note('after it')
	await expectSame()
})

test('a change is one row, wherever a window ends, and counts all of its entries', async () => {
	const add = async (kind: 'command.requested' | 'command.succeeded' | 'command.observed', about: string | null, message: string) =>
		await log.append({kind, about, surface: 'screen', message})
	const first = await add('command.requested', null, 'first')
	expect(await joined(null, {query: {text: 'accepted'}, offset: 0, limit: 9})).toMatchObject({matching: 0})
	const second = await add('command.requested', null, 'second')
	for (const {id, message} of [second, first]) await add('command.succeeded', id, `${message} accepted`)
	await note('between')
	await log.append({kind: 'note', about: first.id, surface: 'screen', message: 'a note of its own'})
	await add('command.observed', first.id, 'first confirmed')
	const shown = async (query: LogSearch, offset = 0, limit = 9) => {
		const {rows, matching, own, lines} = await joined(null, {query, offset, limit})
		const told = rows.flatMap(row => (row.kind === 'own' ? [[row.entry, ...row.steps].map(({message}) => message)] : []))
		return {told, matching, own, lines}
	}
	const whole = ['first', 'first accepted', 'first confirmed']
	const all = [['a note of its own'], ['between'], ['second', 'second accepted'], whole]
	const counts = {matching: 4, own: 7, lines: 4}
	expect(await shown({})).toEqual({told: all, ...counts})
	for (const offset of [0, 1, 2, 3]) expect(await shown({}, offset, 1)).toEqual({told: all.slice(offset, offset + 1), ...counts})
	expect(await shown({text: 'accepted'})).toEqual({told: all.slice(2), matching: 2, own: 2, lines: 2})
	expect(await shown({text: 'confirmed'})).toEqual({told: [whole], matching: 1, own: 1, lines: 1})
})

test('an entry earlier than its predecessor shows how far the clock was set back, filtered or not', async () => {
	for (const [message, step] of [
		['right', 1000],
		['ahead', 3_600_000],
		['set back', -3_600_000],
		['kept right', -5],
		['later', 1000]
	] as const) {
		await world.clock.advance(step)
		await note(message)
	}
	const told = async (text?: string) =>
		(await joined(null, {query: {text}, offset: 0, limit: 10})).rows.flatMap(row =>
			row.kind === 'own' && row.setBackMs !== undefined ? [[row.entry.message, row.setBackMs]] : []
		)
	expect([await told(), await told('set back'), await told('ahead')]).toEqual([[['set back', 3_600_000]], [['set back', 3_600_000]], []])
})

test('entries of another process appear in the next window', async () => {
	await note('ours')
	await expectSame()
	const other = openAuditStore(join(world.folder, 'audit.db'))
	elsewhere(world.clock.now() + 1000, 'read by the other', other)
	other.stop()
	await expectSame()
	const beside = logOf(world, 'bea')
	await beside.append({kind: 'note', surface: 'cli', message: 'written by the other'})
	await expectSame()
})

test('an unpinned entry is no longer listed as pinned', async () => {
	const first = await note('first')
	const pinned = () => joined(store, {query: {pinned: true}, offset: 0, limit: 9})
	const pin = {id: first.id, reason: '', incident: null, surface: 'screen' as const}
	await log.setPinned({...pin, pinned: true})
	expect(await pinned()).toMatchObject({matching: 1, rows: [{entry: {id: first.id}}]})
	await log.setPinned({...pin, pinned: false})
	expect(await pinned()).toMatchObject({matching: 0, rows: []})
})

test('a further window reads its own rows only', async () => {
	const calls: string[] = []
	const counted = <T extends object>(part: T) =>
		new Proxy(part, {
			get: (target, name, self) => {
				calls.push(String(name))
				return Reflect.get(target, name, self) as unknown
			}
		})
	for (let index = 0; index < 30; index += 1) await note(`entry ${index}`)
	for (let index = 0; index < 30; index += 1) elsewhere(world.clock.now() - index * 1000, `change ${index}`)
	const [own, others] = [counted(log), counted(store)]
	joined = createJoinedLog(() => own)
	await joined(others, {query: {}, offset: 0, limit: 10})
	calls.length = 0
	await joined(others, {query: {}, offset: 20, limit: 10})
	expect(new Set(calls)).toEqual(new Set(['newest', 'entriesAt', 'stepsOf', 'revision']))
})

test('a query is read in slices, each once for all its windows, and no further when it is given up', async () => {
	for (const message of ['one', 'two']) await note(message)
	const slices: number[] = []
	const given = new AbortController()
	const long = {
		...log,
		newest: async () => 3 * sliceSize,
		linesAfter: async (query: LogSearch, after: number, upTo: number) => {
			slices.push(upTo / sliceSize)
			if (upTo === sliceSize) given.abort()
			return await log.linesAfter(query, after, upTo)
		}
	}
	joined = createJoinedLog(() => long)
	const request = {query: {text: 'two'}, offset: 0, limit: 9}
	await expect(joined(null, request, given.signal)).rejects.toThrow('abort')
	expect(slices).toEqual([1])
	const windows = await Promise.all([joined(null, request), joined(null, {...request, offset: 1})])
	expect(windows.map(({rows}) => rows.length)).toEqual([1, 0])
	expect(slices).toEqual([1, 2, 3])
})
