/** One change in its own process: its system calls, and what is left when it is killed. */
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {onlineComputer} from '#sandbox/testing/running.ts'

import {openTestProfile} from '#core/app/testing/real-profile.ts'
import {systemClock} from '#base/system.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import {closeOrphans} from './orphans.ts'
import {createRunner} from './runner.ts'

let ports: TestPorts
let sandbox: Sandbox
let profile: ReturnType<typeof openTestProfile>

beforeEach(async () => {
	ports = testPorts()
	sandbox = await startSandbox({port: 0, computers: 50, seed: 'order'})
	profile = openTestProfile({...ports, clock: systemClock})
	await profile.connections.registerSandbox(sandbox)
})
afterEach(async () => {
	await profile.stop()
	await sandbox.stop()
	ports.remove()
})

/** Not every computer has strace, and not every container allows it. */
const canTrace = process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test.skipIf(!canTrace)('intent, sync, request, outcome, sync', async () => {
	const trace = join(ports.profile, 'trace.txt')
	const calls = 'trace=pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync'
	const child = startChange(['strace', '-f', '-y', '-s', '32', '-e', calls, '-o', trace])
	expect((await once(child, 'exit'))[0]).toBe(0)
	expect(sandbox.requests.find(({method}) => method === 'PUT')?.status).toBeLessThan(300)
	expect(stepsOf(readFileSync(trace, 'utf8'))).toEqual(['log written', 'log synced', 'sent', 'log written', 'log synced'])
})

test('a killed process leaves its intent without an outcome, and a lock that the next change takes over', async () => {
	sandbox.weather.set(['PUT *=hang,times:1'])
	const child = startChange([])
	await until('the request', () => sandbox.requests.some(({method}) => method === 'PUT'))
	const {connections, log, locks, guards, escrow} = profile
	const close = async () => await closeOrphans({log, locks, codes: escrow.codes, onTrouble: fail})
	const runner = createRunner({clock: systemClock, connections, log, locks, guards, escrow})
	const change = {
		name: 'svc_put_computers_isolation',
		args: {connector_guid: onlineComputer(sandbox), comment: 'Beaconing'},
		connection: 'sandbox'
	} as const
	await expect(runner.run({...change, surface: 'screen'})).rejects.toMatchObject({
		code: 'busy',
		message: expect.stringContaining(`in another process (${child.pid})`)
	})
	expect(sandbox.requests.filter(({method}) => method === 'PUT')).toHaveLength(1)
	expect(await close()).toBe(0)
	child.kill('SIGKILL')
	await once(child, 'exit')
	expect((await runner.run({...change, surface: 'screen'})).data).toMatchObject({status: 'pending_start'})
	expect((await log.query({limit: 10})).entries.map(({kind, surface}) => `${surface} ${kind}`)).toEqual([
		'screen command.succeeded',
		'screen command.requested',
		'cli command.requested'
	])
	expect(await close()).toBe(1)
	expect(await close()).toBe(0)
	expect((await log.query({limit: 1})).entries[0]).toMatchObject({
		kind: 'command.outcome_unknown',
		surface: 'cli',
		message: expect.stringContaining('Check the current state')
	})
})

function fail(message: string, error: unknown): never {
	throw new Error(message, {cause: error})
}

function startChange(before: string[]) {
	const script = fileURLToPath(new URL('testing/one-stored-change.ts', import.meta.url))
	const [command = process.execPath, ...args] = [...before, process.execPath, script, ports.profile, onlineComputer(sandbox)]
	const child = spawn(command, args, {stdio: ['pipe', 'ignore', 'inherit']})
	child.stdin.end(sandbox.apiKey)
	return child
}

/** The calls that matter, with repeats merged; the file is created before the first intent. */
function stepsOf(trace: string) {
	const steps = trace.split('\n').flatMap(line => stepOf(line) ?? [])
	const sent = steps.indexOf('sent')
	const lastWrite = steps.slice(0, sent).lastIndexOf('log written')
	return steps.slice(lastWrite).filter((step, index, all) => step !== all[index - 1])
}

function stepOf(line: string) {
	if (/ (?:write|writev|sendto|sendmsg)\(.*"PUT \/v1/.test(line)) return 'sent'
	if (!line.includes('incidents.db-wal')) return undefined
	if (/ pwrite64\(/.test(line)) return 'log written'
	return / (?:fsync|fdatasync)\(/.test(line) ? 'log synced' : undefined
}
