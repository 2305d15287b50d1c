/** Targets that are changed, or left, while they are sent to. */
import {existsSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {setImmediate as turn} from 'node:timers/promises'
import {createServer as createTlsServer} from 'node:tls'

import {testFolder} from '#base/testing/folder.ts'
import {openPort} from '#base/testing/port.ts'
import {systemClock as clock} from '#base/system.ts'
import {patienceMs, until} from '#base/testing/until.ts'
import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import type {TargetInput} from '#model/target.ts'
import {startPump} from './pump.ts'
import {openTargetStore} from './store.ts'
import {openSyslog} from './syslog.ts'
import {makeTargetWorld, type TargetWorld} from './testing/world.ts'

let world: TargetWorld
beforeEach(async () => (world = await makeTargetWorld()))
afterEach(() => world.stop())

const save = (definition: Omit<TargetInput, 'name'>, more: object = {}) =>
	world.targets().save({definition: {name: 'one', ...definition}, ...more})
const file = () => ({kind: 'file', path: join(testFolder(), 'out')}) as const

test('changed twice at once is as it was changed last', async () => {
	const {id} = (await save({to: file(), log: {}})).target
	const {sendAll, setEnabled} = world.targets()
	await sendAll()
	await Promise.all([setEnabled(id, true), setEnabled(id, false)])
	expect(existsSync(join(world.folder, `target-${id}.lock`))).toBe(false)
})

test('that gets the log again begins with later entries', async () => {
	const both = {to: file(), events: {connection: world.connection}, enabled: false}
	const {id} = (await save({...both, log: {}})).target
	await save(both, {id})
	await world.notes(0, 3)
	expect((await save({...both, log: {}}, {id})).target.backlog).toBe(0)
})

test('keeps its signing secret when the change cannot be logged', async () => {
	const hook = {to: {kind: 'webhook', url: 'https://siem.example/'}, log: {}} as const
	const {target, secret} = await save(hook)
	vi.spyOn(world.profile.log, 'append').mockRejectedValueOnce(new Error('full'))
	await expect(save(hook, {id: target.id, secret: 'another secret, long enough'})).rejects.toThrow('full')
	expect(await world.secrets.read(`target/${target.id}`)).toBe(secret)
})

test('that confirms late counts nothing of the events before they were made anew', async () => {
	const authority = await makeAuthority()
	const server = createTlsServer(await authority.issue('localhost'), socket => void socket.on('error', () => {}).resume())
	const to = {kind: 'syslog', host: 'localhost', port: await openPort(server), ca: authority.cert, private: true} as const
	const {id} = (await save({to, events: {connection: world.connection}})).target
	const store = openTargetStore(world.profile.database)
	let end = {generation: 'old', newest: 100}
	const settling: (() => void)[] = []
	const sleep: typeof clock.sleep = (ms, signal) => (ms < 0 ? new Promise(resolve => void settling.push(resolve)) : clock.sleep(ms, signal))
	const [nothing, times] = [() => {}, {longestMs: 0, settleMs: -1, patienceMs}]
	const pump = startPump(
		{
			...{store, log: world.profile.log, clock: {...clock, sleep}, random: () => new Uint8Array(1), secret: async () => undefined},
			...{tell: nothing, onChange: nothing, onTrouble: expect.unreachable, syslogTimes: times},
			events: () => ({arrived: () => end, arrivals: upTo => ({events: [], upTo})})
		},
		store.find(id)
	)
	const sent = (count: number) => until('it is sent', () => settling.length === count)
	await sent(1)
	end = {generation: 'new', newest: 5}
	pump.wake()
	await sent(2)
	settling[0]?.()
	await turn()
	expect(store.cursor(id, 'events')).toEqual({generation: 'new', position: 0})
	await pump.stop()
	server.close()
})

test('that is left does not wait for a syslog receiver that says nothing', async () => {
	const stopping = new AbortController()
	const server = createServer(socket => {
		socket.on('error', () => {})
		stopping.abort()
	})
	const to = {kind: 'syslog', host: 'localhost', port: await openPort(server), ca: null, private: true, mostBytes: 8192} as const
	const never = () => expect.unreachable()
	const host = {clock, signal: stopping.signal, secret: undefined, delivered: never, refuse: never, fail: never}
	await expect(openSyslog(to, host)).rejects.toThrow('aborted')
	server.close()
})
