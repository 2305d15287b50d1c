import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {refused, expectRefused} from '#base/testing/code-of.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Profile} from '#core/app/profile.ts'
import {freeComputer} from '#sandbox/testing/running.ts'
import {catalogue} from '#shared/commands/catalogue.ts'
import {CordonError} from '#contract/errors.ts'

import {handlerOf} from './handlers.ts'
import type {CommandRequest} from './types.ts'
import {openBench, type Bench} from './testing/bench.ts'

const isolation = 'svc_put_computers_isolation'
let bench: Bench
let {sandbox, run, entries, sent} = {} as Bench

beforeEach(async () => {
	bench = await openBench({computers: 1200, seed: 'runner', agentDelayMs: 20_000})
	;({sandbox, run, entries, sent} = bench)
	return bench.close
})

const free = (skip = 0) => freeComputer(sandbox, skip)
const isolate = (guid: string, args: CommandRequest['args'] = {}, more: Partial<CommandRequest> = {}) =>
	run(isolation, {connector_guid: guid, ...args}, more)

describe('the catalogue', () => {
	test('has a handler for exactly its 23 commands', async () => {
		expect(new Set(catalogue.map(({name}) => name)).size).toBe(23)
		for (const {name} of catalogue) expect(await handlerOf(name), name).toBeTypeOf('function')
	})

	test('guards every change, and no reading', () => {
		for (const {name, risk, guard, args} of catalogue) {
			expect(guard !== undefined, name).toBe(risk !== 'read')
			if (guard !== undefined) expect(Object.keys(args), name).toContain(guard.of)
		}
	})
})

function beforePut(act: (connection: string) => unknown) {
	const {connections} = bench.profile
	const client: typeof connections.client = id => {
		const real = connections.client(id)
		return {
			...real,
			call: async (request, options) => {
				if (request.method === 'PUT') await act(id)
				return real.call(request, options)
			}
		}
	}
	bench.replace({connections: {...connections, client}})
}

describe('the order of things', () => {
	test('the intent is in the log before the request reaches the service', async () => {
		const guid = free()
		const seen: number[] = []
		beforePut(async () => seen.push((await entries()).filter(({kind}) => kind === 'command.requested').length))
		await isolate(guid, {comment: 'beaconing'})
		expect(seen).toEqual([1])
	})

	test('intent and outcome hold who, what, where, how long and the result', async () => {
		const guid = free()
		const result = await isolate(guid, {comment: 'beaconing'})
		const [outcome, intent] = await entries()
		expect(intent).toMatchObject({
			kind: 'command.requested',
			command: isolation,
			args: {connector_guid: guid, comment: 'beaconing'},
			target: {guid},
			operator: 'kim',
			surface: 'cli',
			connection: {name: 'Sandbox', url: sandbox.url}
		})
		expect(outcome).toMatchObject({kind: 'command.succeeded', about: intent?.id, status: 200, data: {state: 'pending_start'}})
		expect(outcome?.requestId).toBeTruthy()
		expect(outcome?.durationMs).toBeTypeOf('number')
		expect(result).toMatchObject({entry: intent?.id, status: 200, data: {status: 'pending_start'}})
		expect(result.message).toContain('The service accepted the isolation of')
	})

	test('without the log nothing is sent', async () => {
		const append = () => {
			throw new CordonError('log_unavailable')
		}
		bench.replace({log: {...bench.profile.log, append}})
		for (const [name, args] of [
			['svc_get_version', {}],
			[isolation, {connector_guid: free()}]
		] as const) {
			await expectRefused(run(name, args), 'log_unavailable')
		}
		// The guards read the computer; nothing else was sent.
		expect(sent().filter(each => !each.startsWith('GET /v1/computers/'))).toEqual([])
	})

	test('an outcome that cannot be logged is reported and does not hide what happened', async () => {
		let written = 0
		const append: Profile['log']['append'] = async entry => {
			written += 1
			if (written > 1) throw new CordonError('log_unavailable')
			return await bench.profile.log.append(entry)
		}
		bench.replace({log: {...bench.profile.log, append}})
		const result = await isolate(free())
		expect(result.message).toContain('The outcome could not be written to the incident log')
		expect(result.data).toMatchObject({status: 'pending_start'})
	})

	test('the lock and the token are gone when the command has ended', async () => {
		const guid = free()
		await isolate(guid)
		await run('svc_delete_computers_isolation', {connector_guid: guid})
		expect(sent('DELETE')).toHaveLength(1)
		expect(bench.running()).toBe(0)
	})
})

describe('the guards', () => {
	test.each([
		[isolation, {}],
		['svc_delete_computers_isolation', {}],
		['svc_move_computer', {group_guid: '0fd176db-c9f8-4741-8909-d48d38c383d6'}]
	])('%s is refused while changes are locked, and nothing is sent or logged', async (name, args) => {
		const {id} = bench.profile.connections.find(undefined)
		bench.profile.connections.setLocked(id, true)
		expect((await refused(run(name, {connector_guid: free(), ...args}))).code).toBe('read_only')
		expect(sent()).toEqual([])
		expect(await entries()).toEqual([])
	})

	test('reading works while changes are locked', async () => {
		bench.profile.connections.setLocked(bench.profile.connections.find(undefined).id, true)
		expect((await run('svc_get_version')).data).toEqual({version: 'v1.2.0'})
	})

	test('locking changes stops a change that waits for its turn', async () => {
		const guid = free()
		beforePut(id => bench.profile.connections.setLocked(id, true))
		await expectRefused(isolate(guid), 'read_only')
		expect(sent('PUT')).toEqual([])
		expect((await entries())[0]).toMatchObject({kind: 'command.failed', data: {code: 'read_only'}})
	})

	test('of two isolations of a computer at once, one is busy and one goes out', async () => {
		const guid = free()
		const both = await Promise.allSettled([isolate(guid), isolate(guid.toUpperCase())])
		const failures = both.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
		expect(failures).toHaveLength(1)
		expect(failures[0]).toMatchObject({code: 'busy'})
		expect(sent('PUT')).toHaveLength(1)
	})

	test.each([
		['svc_nothing', {}, {}, 'unknown_command'],
		[isolation, {}, {}, 'usage'],
		[isolation, {connector_guid: 'x/../y'}, {}, 'invalid_argument'],
		['svc_delete_computers_isolation', {connector_guid: crypto.randomUUID(), unlock_code: 'a', comment: 'b'}, {}, 'usage'],
		['svc_set_group_policy', {group_guid: crypto.randomUUID()}, {}, 'usage'],
		['svc_get_version', {}, {options: {all: true}}, 'usage'],
		['svc_get_computers', {limit: '3'}, {options: {all: true}}, 'usage'],
		['svc_get_computers_isolation', {connector_guid: crypto.randomUUID()}, {options: {wait: 5}}, 'usage']
	])('%s %j %j is refused before anything is sent or logged', async (name, args, more, code) => {
		await expectRefused(run(name, args, more), code)
		expect(sent()).toEqual([])
		expect(await entries()).toEqual([])
	})

	test('setting no policy names the arguments that it takes', async () => {
		const error = await refused(run('svc_set_group_policy', {group_guid: crypto.randomUUID()}))
		for (const product of ['linux', 'android', 'mac', 'windows']) expect(error.message).toContain(`${product}_policy_guid`)
	})
})

describe('trouble beside the command', () => {
	const damaged = () => {
		throw new CordonError('storage', 'The local store is damaged.')
	}

	test.each([
		['cannot be opened', damaged],
		['cannot be read', () => new Proxy({} as Inventory, {get: () => damaged})]
	])('local data that %s does not stop an isolation', async (_how, inventory) => {
		const guid = free()
		bench.replace({inventory})
		expect((await isolate(guid)).data).toMatchObject({status: 'pending_start'})
		expect((await entries())[0]).toMatchObject({kind: 'command.succeeded', target: {guid, label: guid}})
	})

	test('a lock that cannot be released does not hide the success of the change', async () => {
		const troubles: string[] = []
		bench.replace({locks: {acquire: () => damaged}, onTrouble: message => troubles.push(message)})
		expect((await isolate(free())).data).toMatchObject({status: 'pending_start'})
		expect(troubles).toEqual(['A lock could not be released.'])
	})
})

describe('stopping', () => {
	test('a command that is stopped before it began sends nothing', async () => {
		const signal = AbortSignal.abort()
		await expectRefused(isolate(free(), {}, {signal}), 'cancelled')
		expect(sent()).toEqual([])
	})

	test('a change that is stopped after it was sent ends with what the service answers', async () => {
		sandbox.weather.set(['PUT *=latency:150'])
		const stop = new AbortController()
		const work = isolate(free(), {}, {signal: stop.signal})
		await bench.reached('PUT')
		stop.abort()
		expect(await work).toMatchObject({data: {status: 'pending_start'}})
		expect((await entries())[0]).toMatchObject({kind: 'command.succeeded', data: {state: 'pending_start'}})
		expect(sent('PUT')).toHaveLength(1)
	})

	test('a change whose connection closes has an unknown outcome', async () => {
		sandbox.weather.set(['PUT *=hang'])
		const work = refused(isolate(free()))
		await bench.reached('PUT')
		await bench.profile.connections.stop()
		expect((await work).code).toBe('outcome_unknown')
		expect((await entries())[0]).toMatchObject({kind: 'command.outcome_unknown'})
	})

	test('a reading that is stopped is cancelled', async () => {
		sandbox.weather.set(['GET *=hang'])
		const stop = new AbortController()
		const work = refused(run('svc_get_computers', {}, {signal: stop.signal}))
		await bench.reached('GET')
		stop.abort()
		expect((await work).code).toBe('cancelled')
		expect((await entries())[0]).toMatchObject({kind: 'command.failed', data: {code: 'cancelled'}})
	})
})

describe('secrets', () => {
	const canary = 'canary7code'

	test('an unlock code is in no result, entry or file of the profile', async () => {
		const guid = free()
		const result = await isolate(guid, {unlock_code: canary, comment: `not ${canary}`})
		expect(JSON.stringify(result)).not.toContain(canary)
		const again = await run('svc_get_computers_isolation', {connector_guid: guid})
		expect(again.data).toMatchObject({unlock_code: '••••••', comment: expect.stringMatching(/^not •••••• \(Cordon log \w{8}\)$/)})
		await run('svc_delete_computers_isolation', {connector_guid: guid, unlock_code: canary})
		await refused(isolate(guid, {unlock_code: `${canary} ${canary}`}))
		sandbox.weather.set(['PUT *=malformed'])
		await refused(isolate(free(1), {unlock_code: canary})).catch(() => {})
		await bench.profile.stop()
		for (const file of readdirSync(bench.ports.profile, {recursive: true, withFileTypes: true}).filter(one => one.isFile())) {
			expect(readFileSync(join(file.parentPath, file.name)).includes(canary), file.name).toBe(false)
		}
	})
})

describe('the code and the lease of an isolation', () => {
	const wish = {code: 'generated', lease: {hours: 4, auto: false}} as const
	const disk = () => {
		throw new CordonError('storage', 'The disk is gone.')
	}
	function without(what: 'begin' | 'change' | 'end') {
		const {escrow} = bench.profile
		bench.replace({escrow: {...escrow, leases: {...escrow.leases, [what]: disk}}, onTrouble: () => {}})
	}
	const codes = () => bench.profile.escrow.codes.list().map(({state}) => state)
	const wished = () => isolate(free(), {}, {isolation: wish})

	test('when the lease cannot be saved, nothing is sent and no code is kept', async () => {
		without('begin')
		await expectRefused(wished(), 'storage')
		expect([sent('PUT'), codes()]).toEqual([[], []])
	})

	test('a lease that fails does not stop its code from counting as in use', async () => {
		without('change')
		await wished()
		expect(codes()).toEqual(['in_use'])
	})

	test('the code of a refused isolation goes even when its lease cannot be ended', async () => {
		without('end')
		sandbox.weather.set(['PUT *=status:403'])
		await expectRefused(wished(), 'forbidden')
		expect(codes()).toEqual([])
	})
})
