/** A command line beside a full console: what they share, and what ends which of them. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {turns, until} from '#base/testing/until.ts'
import {testFolder} from '#base/testing/folder.ts'
import {onlineComputer, readyComputers} from '#sandbox/testing/running.ts'
import {version} from '#shared/version.ts'

import {listenForCommandLines} from '../socket/listen.ts'
import {attended} from './host.ts'
import {runCli} from './main.ts'
import {startConsoleBench, type ConsoleBench} from './testing/console.ts'
import {makeHost, run} from './testing/run.ts'

let bench: ConsoleBench

beforeEach(async () => {
	bench = await startConsoleBench({computers: 600, seed: 'beside'})
})

afterEach(() => bench.stop())

const someHost = () => onlineComputer(bench.sandbox)

async function entries() {
	return (await bench.app.log.query({limit: 1000})).entries
}

it('uses the client of the console: one API limit, and the sandbox of the window', async () => {
	const {sandbox, app, cordon} = bench
	await app.connections.registerSandbox(sandbox)
	const {id} = app.connections.find('lab')
	const before = app.connections.client(id).quota()?.remaining ?? 0
	expect((await cordon(['svc_get_version', '--connection', 'sandbox'])).code).toBe(0)
	expect((await cordon(['svc_get_version', '--connection', 'lab'])).code).toBe(0)
	expect(app.connections.client(id).quota()?.remaining ?? 0).toBeLessThan(before === 0 ? 3001 : before)
	expect((await cordon(['connections', 'list', '--json'])).out).toContain('"id":"sandbox"')
})

it('is logged as the command line, even when the console writes the entry', async () => {
	const {cordon} = bench
	for (const argv of [
		['connections', 'lock', 'lab'],
		['connections', 'unlock', 'lab'],
		['instances', 'add', 'files', '--port', '9000'],
		['svc_put_computers_isolation', someHost(), '--comment', 'Beaconing'],
		['log', 'note', 'Done']
	])
		expect([argv[1], (await cordon(argv)).code]).toEqual([argv[1], 0])
	const written = (await entries()).filter(({kind}) => kind !== 'command.observed')
	expect(new Set(written.map(({surface}) => surface))).toEqual(new Set(['cli']))
	expect(written.length).toBeGreaterThanOrEqual(7)
	bench.app.connections.setLocked(bench.app.connections.find('lab').id, true)
	expect((await entries())[0]?.surface).toBe('screen')
})

it('reads its named files itself: the console opens none of them', async () => {
	const {cordon, file, folder} = bench
	const key = file('other key', bench.sandbox.apiKey)
	const named = ['--server', bench.sandbox.url, '--client-id', bench.sandbox.clientId, '--api-key-file', key]
	const opened: string[] = []
	// Each side has its own files; these are the command line's.
	const {host, err} = makeHost()
	const files = {
		...host.files,
		readOwn: async (path: string, option: string, most: number) => {
			opened.push(path)
			return await host.files.readOwn(path, option, most)
		}
	}
	const argv = ['--profile', bench.profile, 'connections', 'add', 'other', ...named]
	expect([await runCli(argv, {...host, files}), err()]).toEqual([0, ''])
	expect(opened).toEqual([key])
	expect((await cordon(['svc_get_version', '--connection', 'other'])).code).toBe(0)
	const missing = await cordon(['connections', 'edit', 'other', '--api-key-file', join(folder, 'none')])
	expect(missing).toMatchObject({code: 2, err: expect.stringContaining('there is no such file')})
	const loose = join(folder, 'key')
	chmodSync(loose, 0o644)
	const refused = await cordon(['connections', 'edit', 'other', '--api-key-file', loose, '--json'])
	expect(refused).toMatchObject({code: 2, out: expect.stringContaining('"field":"api-key-file"')})
})

it('passes standard input on request', async () => {
	const targets = bench.sandbox.world.tenant.hosts.filter(({role}) => role !== 'server').slice(5, 8)
	const stdin = targets.map(({guid}) => guid).join('\n')
	const {code, out, err} = await bench.cordon(['job', 'isolate', '--targets', '-', '--reason', 'Drill', '--dry-run'], {stdin})
	expect([code, err]).toEqual([0, ''])
	for (const {hostname} of targets) expect(out).toContain(hostname)
})

it('answers many words, and refuses more than the console takes before it asks', async () => {
	const args = (count: number, value: string) => Array.from({length: count}, () => ['--arg', `reason=${value}`]).flat()
	const edit = (words: string[]) => bench.cordon(['approvals', 'edit', 'none', ...words])
	expect(await edit(args(6000, 'x'))).toMatchObject({code: 3, err: expect.stringContaining('none')})
	for (const long of [args(20, 'x'.repeat(100_000)), args(10_001, 'x')])
		expect(await edit(long)).toMatchObject({code: 2, err: expect.stringContaining('longer than 20,000 words or 1 MB')})
	expect(bench.refusals).toEqual([])
})

it('answers a terminal that does not know its width', async () => {
	const {code, out, err} = await bench.cordon(['svc_get_computers', '--limit', '1'], {terminal: 0})
	expect([code, err]).toEqual([0, ''])
	expect(out).toContain('GUID')
})

it('keeps a service of its own and its key to itself', async () => {
	const send = vi.spyOn(bench.app.deps.runner, 'run')
	const {code} = await bench.cordon(['svc_get_version', ...bench.service()])
	expect([code, send.mock.calls.length]).toEqual([0, 0])
	expect((await bench.cordon(['svc_get_version'])).code).toBe(0)
	expect(send).toHaveBeenCalledTimes(1)
})

it('ends with 130 on Ctrl+C, and the console ends the call', async () => {
	bench.sandbox.weather.set(['GET /v1/version=hang'])
	bench.sandbox.clearRequests()
	const stop = new AbortController()
	const running = bench.cordon(['svc_get_version'], {signal: stop.signal})
	await until('the request', () => bench.sandbox.requests.some(({path}) => path.includes('version')))
	stop.abort()
	expect(await running).toMatchObject({code: 130, err: expect.stringContaining('cordon: ')})
	const {id} = bench.app.connections.find('lab')
	await until('the end of the call', () => bench.app.runner.running(id) === 0)
})

it('leaves a change that was sent to the console, which records its outcome', async () => {
	bench.sandbox.weather.set(['PUT /v1/computers/*=latency:300'])
	bench.sandbox.clearRequests()
	const entry = fileURLToPath(new URL('../cli.ts', import.meta.url))
	const argv = ['--profile', bench.profile, 'svc_put_computers_isolation', someHost(), '--comment', 'Beaconing']
	const child = spawn(process.execPath, [entry, ...argv], {stdio: 'ignore'})
	await until('the request', () => bench.sandbox.requests.some(({method}) => method === 'PUT'))
	child.kill('SIGKILL')
	await once(child, 'exit')
	const outcome = await until('the outcome', async () =>
		(await entries()).find(({kind}) => kind === 'command.succeeded' || kind === 'command.failed')
	)
	expect(outcome).toMatchObject({kind: 'command.succeeded', surface: 'cli'})
})

it('notices when the console stops during a command', async () => {
	bench.sandbox.weather.set(['GET /v1/version=hang'])
	bench.sandbox.clearRequests()
	const running = bench.cordon(['svc_get_version', '--json'])
	await until('the request', () => bench.sandbox.requests.some(({path}) => path.includes('version')))
	await bench.stopAnswering()
	const {code, out} = await running
	expect([code, JSON.parse(out).error.message]).toEqual([130, 'Stopped, because the console is stopping.'])
})

it('goes on with the job and the playbook of a command line that it ends', async () => {
	const {app, sandbox, cordon} = bench
	const {jobs, playbooks} = app.deps
	const guids = readyComputers(sandbox, 5)
	sandbox.weather.set(['PUT *=latency:300'])
	const drill = ['job', 'isolate', '--targets', '-', '--reason', 'Drill']
	const watching = cordon(drill, {stdin: guids.join('\n')})
	const id = await until('the job', async () => (await jobs.list()).rows[0]?.id)
	const variables = ['--var', `computer=${someHost()}`, '--var', 'reason=Drill']
	const asking = cordon(['playbook', 'run', 'Contain an endpoint', ...variables, '--wait'])
	const state = async () => (await playbooks.runs({search: undefined, offset: 0, limit: 1})).rows[0]?.state
	await until('the question', async () => (await state()) === 'waiting')
	await bench.stopAnswering()
	for (const left of [watching, asking]) expect(await left).toMatchObject({code: 130, err: expect.stringContaining('goes on with this')})
	expect([(await jobs.settled(id)).counts.done, await state()]).toEqual([5, 'waiting'])
})

it('starts no job after Ctrl+C, and stops one that Ctrl+C came before, also when the command line has left', async () => {
	const {app, sandbox, cordon} = bench
	const [stdin = ''] = readyComputers(sandbox)
	sandbox.weather.set(['GET *=latency:300'])
	const apply = vi.spyOn(app.deps.jobs, 'apply')
	const left = until('the plan', () => apply.mock.calls.length > 0)
	expect(await cordon(['job', 'isolate', '--targets', '-', '--reason', 'Drill'], {stdin, left})).toMatchObject({code: 130})
	await expect(apply.mock.results[0]?.value).rejects.toMatchObject({code: 'cancelled'})
	const [stop, gone] = [new AbortController(), new AbortController()]
	const {host} = makeHost({signal: AbortSignal.any([stop.signal, gone.signal])})
	for (const each of [stop, gone]) each.abort(new Error())
	const stopped = vi.fn<() => void>()
	await expect(attended({...host, left: gone.signal}, stopped, () => new Promise(() => {}))).rejects.toThrow('goes on')
	expect(stopped).toHaveBeenCalledTimes(1)
})

it('follows the log until the reader of the pipe has seen enough', async () => {
	const stop = new AbortController()
	let seen = ''
	const following = bench.cordon(['log', '--follow', '--jsonl', '--limit', '1'], {
		signal: stop.signal,
		onOut: out => {
			seen = out
		}
	})
	await until('the first entry', () => seen.includes('Connection added'))
	await bench.app.log.append({kind: 'note', surface: 'screen', message: 'From the window'})
	await until('the new entry', () => seen.includes('From the window'))
	stop.abort()
	expect((await following).code).toBe(130)
})

it('loads no further page while a slow reader is behind', async () => {
	await bench.stop()
	bench = await startConsoleBench({computers: 7000, seed: 'slow'}, {busy: false})
	bench.sandbox.clearRequests()
	const entry = fileURLToPath(new URL('../cli.ts', import.meta.url))
	const argv = ['--profile', bench.profile, 'svc_get_computers', '--all', '--jsonl']
	const child = spawn(process.execPath, [entry, ...argv], {stdio: ['ignore', 'pipe', 'ignore']})
	const [first] = (await once(child.stdout, 'data')) as [Buffer]
	child.stdout.pause()
	let before = -1
	// Nothing more arrives once all buffers in between are full.
	await until('rest', async () => {
		const now = bench.sandbox.requests.length
		const isAtRest = now === before
		before = now
		await turns(300)
		return isAtRest
	})
	// The listing has 14 pages.
	expect(before).toBeLessThan(12)
	let bytes = first.length
	child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length))
	child.stdout.resume()
	const [code] = (await once(child, 'close')) as [number]
	expect(code).toBe(0)
	expect(bench.sandbox.requests.length).toBeGreaterThanOrEqual(14)
	expect(bytes).toBeGreaterThan(4 << 20)
})

it('answers many command lines at once', async () => {
	const all = await Promise.all(Array.from({length: 20}, () => bench.cordon(['svc_get_version', '--json'])))
	expect(all.map(({code}) => code)).toEqual(Array.from({length: 20}, () => 0))
})

it('opens the profile itself once the console is gone', async () => {
	await bench.stopAnswering()
	await bench.app.stop()
	expect(await run(['--profile', bench.profile, 'svc_get_version'])).toMatchObject({code: 0})
	expect(() => readFileSync(join(bench.profile, 'command-line.json'))).toThrow('ENOENT')
})

it.each([
	['job list', 'reset'],
	['log', 'reset'],
	['svc_get_version', 'reset'],
	['job stop x', 'outcome_unknown'],
	['log note x', 'outcome_unknown']
])('says of %s, whose console ends before it answers: %s', async (line, code) => {
	const profile = testFolder()
	const onCommandLine = async ({messages}: {messages: AsyncIterator<unknown>}) => void (await messages.next())
	const {stop} = await listenForCommandLines({profile, runtimeFolder: undefined, version, onRefusal: () => {}, onCommandLine})
	const {out} = await run(['--profile', profile, ...line.split(' '), '--json'])
	expect(JSON.parse(out).error.code).toBe(code)
	await stop()
})
