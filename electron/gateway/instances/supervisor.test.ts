import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import {fileURLToPath} from 'node:url'

import {freePort} from '#base/testing/port.ts'
import type {ListStatus} from '#contract/instances.ts'
import type {Instance, InstanceHealth} from '#model/instance.ts'

import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import {identityOf, isAlive, type ProcessIdentity} from '#core/store/process-identity.ts'
import {untilPassing} from '#base/testing/until.ts'
import {type Builtins, createBuiltins, type RunningBuiltin} from './builtins.ts'
import {createSupervisor, type Supervisor, type SupervisorOptions} from './supervisor.ts'
import {instanceOf, testProgram} from './testing/definitions.ts'
import {closedAfter} from './testing/upstream.ts'
import type {Parts} from './unit-parts.ts'
import {look} from './unit-watch.ts'

let clock: TestClock
let options: SupervisorOptions
let supervisor: Supervisor
let port: number
let states: [string, InstanceHealth['state']][]
/** All reported states. */
let told: InstanceHealth[]
let processes: Map<string, ProcessIdentity | undefined>

beforeEach(async () => {
	clock = testClock()
	port = await freePort()
	states = []
	told = []
	processes = new Map()
	options = {
		clock,
		environment: {INHERITED: 'yes'},
		builtins: createBuiltins({folder: '/nowhere', clock, fetchFileList: async function* () {}, signingKey: async () => {}}),
		onHealth: (id, health) => {
			const {state} = health
			told.push(health)
			if (states.at(-1)?.[1] !== state) states.push([id, state])
		},
		onProcess: (id, identity) => void processes.set(id, identity),
		onTrouble: (message, error) => expect.fail(`${message} ${String(error)}`),
		patienceMs: 300,
		ownPort: () => {}
	}
	supervisor = createSupervisor(options)
})

afterEach(async () => {
	await supervisor.stop()
})

type Wish = Partial<Parameters<typeof instanceOf>[0]>
const external = (more: Wish = {}) => instanceOf({name: 'one', listenPort: port, ...more})
const managed = (behaviour = 'plain', more: Wish = {}) => external({program: testProgram(behaviour), ...more})

/** Reports without a needed reason, or with an unneeded one. */
function unexplained() {
	return told.filter(({state, reason}) => (state === 'healthy') !== (reason === null))
}

function apply(...instances: Instance[]) {
	supervisor.apply(instances.map(instance => ({instance, restarts: 0})))
}

/** Advances time in small steps until the condition holds; processes run in real time. */
function pass(what: string, look: () => boolean | Promise<boolean>, stepMs = 20) {
	return untilPassing(clock, stepMs / 5, what, look)
}

const isIn =
	(state: InstanceHealth['state'], id = 'one') =>
	() =>
		health(id)?.state === state

const health = (id = 'one') => supervisor.health(id)
const reason = () => health()?.reason
const stopped = () => pass('the end', isIn('stopped'), 0)
const healthy = () => pass('health', isIn('healthy'))

async function run(instance = managed()) {
	apply(instance)
	await healthy()
}

/** A program run by someone else. */
async function serve(handler: RequestListener) {
	const server = closedAfter(createServer(handler))
	await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
	return server
}

async function ask(path = '/') {
	const response = await fetch(`http://127.0.0.1:${port}${path}`)
	return (await response.json()) as {pid: number; environment: Record<string, string>}
}

describe('a managed instance', () => {
	test('is started with its port and address, and with little else of our environment', async () => {
		apply(managed('plain', {program: {...testProgram(), environment: {OWN: '1', PORT: '1'}}}))
		expect(health()?.state).toBe('starting')
		await healthy()
		const {environment} = await ask()
		expect(environment).toMatchObject({PORT: String(port), HOST: '127.0.0.1', INHERITED: 'yes', OWN: '1'})
		expect(environment).not.toHaveProperty('VITEST')
		expect(supervisor.output('one').map(({text}) => text)).toEqual([`listening on 127.0.0.1:${port}`])
		expect(supervisor.listensOn(port)).toBe(true)
	})

	test('whose port is opened listens on every interface', async () => {
		await run(managed('plain', {openPort: true}))
		expect((await ask()).environment).toMatchObject({HOST: '0.0.0.0'})
	})

	test('that is killed is reported as stopped, with the reason, and restarted', async () => {
		await run()
		const {pid} = await ask()
		process.kill(pid, 'SIGKILL')
		await stopped()
		expect(reason()).toBe('It was ended by SIGKILL. It is started again in 1 s.')
		await healthy()
		expect((await ask()).pid).not.toBe(pid)
		expect(states.map(([, state]) => state)).toEqual(['starting', 'healthy', 'stopped', 'starting', 'healthy'])
	})

	test('that fails at once is tried ever more rarely, up to once a minute', async () => {
		apply(managed('fails'))
		const waits: string[] = []
		for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
			await pass(`a wait of ${wait} s`, () => reason()?.endsWith(`again in ${wait} s.`) ?? false, 0)
			waits.push(reason() ?? '')
			await clock.advance(wait * 1000)
			await pass('the next start', () => health()?.state === 'starting' || wait === 60, 0)
		}
		expect(waits[0]).toBe('It ended with exit code 3. It is started again in 1 s.')
		expect(supervisor.output('one')).toContainEqual(expect.objectContaining({stream: 'stderr', text: 'no luck today'}))
	})

	test('that was healthy for a minute is started again at once when it ends', async () => {
		await run()
		for (let round = 0; round < 2; round += 1) {
			for (let second = 0; second < 70; second += 10) await clock.advance(10_000)
			await fetch(`http://127.0.0.1:${port}/exit`).catch(() => {})
			await stopped()
			expect(reason()).toContain('again in 1 s')
			await healthy()
		}
	})

	test('that does not exist says so', async () => {
		apply(managed('plain', {program: {kind: 'managed', command: ['/no/such/program']}}))
		await pass('the failure', isIn('stopped'), 0)
		expect(reason()).toContain('The program /no/such/program was not found.')
	})

	test('that the system refuses to start is tried again, like one that ended', async () => {
		const command = [`${fileURLToPath(import.meta.url)}/program`]
		apply(managed('plain', {program: {kind: 'managed', command}}))
		await pass('the next try', () => reason()?.endsWith('again in 2 s.') ?? false)
		expect(reason()).toMatch(/ENOTDIR|not found/)
	})

	test('answers with a failure: unhealthy, with the status', async () => {
		apply(managed('sick'))
		const sick = 'It answers 503, where less than 500 is expected.'
		await pass('the answer', () => reason() === sick, 1000)
		expect(health()?.state).toBe('unhealthy')
	})

	test('is not started on a port that another program holds, which is named', async () => {
		const other = spawn(process.execPath, [fileURLToPath(new URL('./testing/program.mjs', import.meta.url))], {
			env: {PORT: String(port), HOST: '127.0.0.1'},
			stdio: ['ignore', 'pipe', 'inherit']
		})
		await once(other.stdout, 'data')
		apply(managed())
		await pass('the collision', isIn('stopped'), 0)
		const why = reason() ?? ''
		expect(why).toMatch(process.platform === 'linux' ? `node (process ${other.pid})` : 'another program')
		expect(supervisor.output('one').some(({text}) => text.includes('listening'))).toBe(false)
		await supervisor.checkNow('one')
		expect(health()?.state).toBe('stopped')
		other.kill()
		await once(other, 'exit')
		await healthy()
	})

	test('that ended during a check is not judged by it', async () => {
		const health = {looked: () => expect.fail('It ended.')}
		const deps = {instance: managed(), program: {}, health} as unknown as Parts // nothing else of it is used
		await serve((_, response) => {
			deps.program = undefined
			response.end()
		})
		await look(deps, undefined)
		expect(deps.program).toBeUndefined()
	})

	test('on the port of another instance names that', async () => {
		await run()
		const two = instanceOf({name: 'two', listenPort: port, program: testProgram()})
		apply(managed(), two)
		await pass('the collision', isIn('stopped', 'two'), 0)
		const holder = process.platform === 'linux' ? 'the instance one' : 'another program'
		expect(health('two')?.reason).toContain(`held by ${holder}.`)
	})

	test('ends with its children, and is killed when it ignores the request', async () => {
		await run(managed('parent'))
		const child = identityOf((await ask()).pid)
		expect(child.pid).not.toBe(processes.get('one')?.pid)
		apply(managed('stubborn'))
		await pass('the other one', async () => isIn('healthy')() && (await ask()).pid !== child.pid)
		expect(isAlive(child)).toBe(false)
		const stubborn = identityOf((await ask()).pid)
		await supervisor.stop()
		expect(isAlive(stubborn)).toBe(false)
		expect(states.at(-1)).toEqual(['one', 'stopped'])
		expect(unexplained()).toEqual([])
		expect(processes.get('one')).toBeUndefined()
	})

	test('goes on running while only its health check changes', async () => {
		await run()
		const {pid} = await ask()
		const renamed = {...managed('plain', {healthCheck: {expect: [204]}}), name: 'renamed'}
		apply(renamed)
		await pass('the new check', isIn('unhealthy'), 10_000)
		expect((await ask()).pid).toBe(pid)
	})

	test('is started anew on request, and ended when it is switched off', async () => {
		await run()
		const {pid} = await ask()
		supervisor.apply([{instance: managed(), restarts: 1}])
		await pass('the other one', async () => isIn('healthy')() && (await ask()).pid !== pid)
		apply({...managed(), enabled: false})
		expect(health()).toMatchObject({state: 'disabled', reason: 'It is switched off.'})
		await pass(
			'the end',
			async () =>
				!(await ask().then(
					() => true,
					() => false
				)),
			0
		)
		await supervisor.stop()
		// The end of a replaced one is not reported for its successor.
		expect(states.map(([, state]) => state)).toEqual(['starting', 'healthy', 'starting', 'healthy', 'disabled'])
		expect(unexplained()).toEqual([])
	})

	test('sends news only when it prints or is checked', async () => {
		await run(managed('plain', {healthCheck: {intervalS: 3600}}))
		const before = supervisor.news()
		await clock.advance(10_000)
		expect(supervisor.news()).toBe(before)
		await fetch(`http://127.0.0.1:${port}/print`)
		await pass('the line', () => supervisor.output('one').some(({text}) => text === 'printed'), 0)
		const after = supervisor.news()
		expect(after).not.toBe(before)
		await supervisor.checkNow('one')
		expect(supervisor.news()).not.toBe(after)
	})
})

describe('an external instance', () => {
	test('is checked, never started', async () => {
		const server = await serve((_, response) => response.writeHead(404).end())
		await run(external())
		const checkedAt = health()?.checkedAt
		await new Promise(resolve => server.close(resolve))
		await clock.advance(10_000)
		await pass('its end', isIn('unhealthy'), 0)
		expect(health()).toMatchObject({reason: `Nothing listens on port ${port}.`})
		expect(health()?.checkedAt).not.toBe(checkedAt)
	})

	test.runIf(process.platform === 'linux')('that listens on other addresses alone is told which', async () => {
		for (const elsewhere of ['127.0.0.2', '::1']) {
			await once(closedAfter(createServer().listen(port, elsewhere)), 'listening')
		}
		apply(external())
		await pass('the first look', isIn('unhealthy'), 0)
		expect(reason()).toBe('It listens on 127.0.0.2 and ::1 alone: let it listen on 127.0.0.1.')
	})

	test('that is not there is unhealthy at once', async () => {
		apply(external())
		await pass('the first look', isIn('unhealthy'), 0)
		expect(states.map(([, state]) => state)).toEqual(['starting', 'unhealthy'])
		expect(unexplained()).toEqual([])
	})

	test('without an interval is not queried: its port is enough', async () => {
		let asked = 0
		await serve((_, response) => {
			asked += 1
			response.writeHead(500).end()
		})
		await run(external({healthCheck: {intervalS: 0}}))
		expect(asked).toBe(0)
	})
})

/** Built-in instances that only listen. */
function listeners(running: Partial<RunningBuiltin>, onStart: (start: Parameters<Builtins['start']>[0]) => void = () => {}): Builtins {
	const server = createServer((_, response) => response.end())
	return {
		start: async start => {
			onStart(start)
			await new Promise<void>(resolve => server.listen(start.port, '127.0.0.1', resolve))
			return {
				listStatus: () => null,
				publish: () => expect.fail('nothing is published'),
				reload: () => {},
				stop: () => new Promise<void>(resolve => server.close(() => resolve())),
				...running
			}
		},
		remove: async () => {}
	}
}

describe('a built-in instance', () => {
	const text = (values: string) =>
		external({program: {kind: 'builtin', builtin: {service: 'list', type: 'ip', sources: [{kind: 'text', text: values}]}}})

	test('stays healthy while a list is held back, and says so until it is published', async () => {
		let heldBack: ListStatus['heldBack'] = {entries: 3, lost: 97, at: '2026-01-01T00:00:00.000Z'}
		const listStatus = () => ({entries: 100, dropped: 0, builtAt: null, etag: null, problem: null, heldBack})
		const publish = async () => {
			heldBack = null
			return listStatus()
		}
		const own = createSupervisor({...options, builtins: listeners({listStatus, publish})})
		own.apply([{instance: text('192.0.2.1'), restarts: 0}])
		await pass('health', () => own.health('one')?.state === 'healthy')
		expect(own.health('one')?.reason).toMatch(/^A list of 3 values is held back, as it would lose 97: publish it/)
		await own.publish('one')
		expect(own.health('one')).toMatchObject({state: 'healthy', reason: null})
		await own.stop()
	})

	test('is built anew only when what it serves changes', async () => {
		const reloads: string[] = []
		const started: string[] = []
		const reload: RunningBuiltin['reload'] = next => {
			const [source] = next.service === 'list' ? next.sources : []
			reloads.push(source?.kind === 'text' ? source.text : '')
		}
		const own = createSupervisor({...options, builtins: listeners({reload}, ({definition}) => started.push(definition.service))})
		const give = (instance: Instance) => own.apply([{instance, restarts: 0}])
		give(text('192.0.2.1'))
		give(text('192.0.2.1'))
		await pass('health', () => own.health('one')?.state === 'healthy')
		give({...text('192.0.2.1'), name: 'renamed'})
		give(text('192.0.2.2'))
		await own.stop()
		expect({started, reloads}).toEqual({started: ['list'], reloads: ['192.0.2.2']})
	})

	test('that is a webhook is started anew with another name or access', async () => {
		const started: string[] = []
		const onStart = ({name, access}: {name: string; access: Instance['access']}) =>
			void started.push(`${name} ${access.kind === 'hmac' ? access.preset : ''}`)
		const own = createSupervisor({...options, builtins: listeners({}, onStart)})
		const builtin = {service: 'webhook' as const, connection: 'lab'}
		for (const [name, preset] of [
			['chat', 'slack'],
			['chat', 'teams'],
			['talk', 'teams']
		] as const) {
			const more = {access: {kind: 'hmac' as const, preset}, program: {kind: 'builtin' as const, builtin}}
			own.apply([{instance: instanceOf({name, listenPort: port, ...more}, 'one'), restarts: 0}])
			await pass(name, () => started.includes(`${name} ${preset}`) && own.health('one')?.state === 'healthy')
		}
		expect(started).toEqual(['chat slack', 'chat teams', 'talk teams'])
		await own.stop()
	})
})
