/** `npm run bench -- api`: reads through the local API beside routes of Fastify, in turns, so that other load hits all of them. */
import {readFileSync, writeFileSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {freePort, startProgram} from './forward/lab.ts'
import {installPeers, peers} from './forward/subjects.ts'
import {markdown, median} from './measure.ts'
import {endProgram, cli, withHost, withTenant} from './processes.ts'
import {benchFolder} from './folder.ts'

const computers = 600
const connections = Number(process.env['CORDON_BENCH_CONNECTIONS'] ?? 10)
const rounds = Number(process.env['CORDON_BENCH_ROUNDS'] ?? 7)
const seconds = Number(process.env['CORDON_BENCH_SECONDS'] ?? 2)

interface Route {
	port: number
	pid: number
	path: string
	token?: string
	/** Whether its answer is known already: it is asked for by its tag. */
	known?: boolean
}

interface Load {
	/** Requests a second. */
	rate: number
	/** Milliseconds. */
	p99: number
	/** Processor time of the server for one request, in microseconds; other load of the machine changes it little. */
	cost: number
}

export async function benchApi() {
	const folder = benchFolder()
	return await withTenant(computers, profile =>
		withHost(profile, async host => {
			const api = {...(await openApi(profile)), pid: host.pid}
			const reads = await readsOf(api)
			const files = reads.map(({name, bytes}) => {
				const file = join(folder, name)
				writeFileSync(file, bytes)
				return file
			})
			installPeers()
			const port = await freePort()
			const fastify = await startProgram(process.execPath, [join(peers, 'api.mjs'), String(port), ...files], port)
			try {
				return await compared(api, reads, {port, pid: fastify.pid ?? 0})
			} finally {
				await endProgram(fastify)
			}
		})
	)
}

type Api = Omit<Route, 'path' | 'pid'>

/** On, with a token of which no minute is full. */
async function openApi(folder: string): Promise<Api> {
	const run = (...words: readonly string[]) => {
		const {status, stdout, stderr} = cli(folder, ['--json', ...words])
		if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
		return (JSON.parse(stdout) as {data: Record<string, string>}).data // as the command line prints it
	}
	const port = await freePort()
	run('api', 'on', '--port', String(port))
	const {token = ''} = run('api', 'token', 'create', 'bench', '--per-minute', '10000000')
	return {port, token}
}

interface Read {
	name: string
	path: string
	bytes: Buffer
	known?: boolean
}

async function readsOf(api: Api): Promise<readonly Read[]> {
	const get = async (path: string): Promise<Buffer> => {
		const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {headers: {authorization: `Bearer ${api.token}`}})
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
		return Buffer.from(await answer.arrayBuffer())
	}
	await get('/api/v1/computers?all=true')
	const path = '/api/v1/local/computers?limit=500'
	for (;;) {
		const bytes = await get(path)
		const {rows} = JSON.parse(bytes.toString()) as {rows: readonly {guid: string}[]}
		const one = `/api/v1/local/computers/${rows[0]?.guid}`
		if (rows.length === 500)
			return [
				{name: 'one', path: one, bytes: await get(one)},
				{name: 'page', path, bytes},
				{name: 'same', path, bytes: Buffer.of(), known: true}
			]
		await sleep(100)
	}
}

async function compared(api: Api & {pid: number}, reads: readonly Read[], fastify: Omit<Route, 'path'>) {
	const empty = {...fastify, path: '/empty'}
	const loads = new Map<string, Load[]>()
	const routes = [
		['empty', empty] as const,
		...reads.flatMap(({name, path, known = false}) => [
			[`fastify ${name}`, {...fastify, path: `/${name}`}] as const,
			[`cordon ${name}`, {...api, path, known}] as const
		])
	]
	for (let round = -1; round < rounds; round += 1)
		for (const [name, route] of routes) {
			const load = await loaded(route)
			// The first round warms up.
			if (round >= 0) loads.set(name, [...(loads.get(name) ?? []), load])
		}
	const of = (name: string, figure: keyof Load) => median((loads.get(name) ?? []).map(load => load[figure]))
	const rows = reads.map(({name, bytes}) => {
		const [cordon, peer] = [`cordon ${name}`, `fastify ${name}`]
		const ratios = ['empty', peer].map(other => (of(cordon, 'rate') / of(other, 'rate')).toFixed(2))
		const each = (figure: keyof Load, digits = 0) => ['empty', peer, cordon].map(route => of(route, figure).toFixed(digits)).join(' / ')
		return [name, bytes.length, each('rate'), ...ratios, each('p99', 2), each('cost')]
	})
	const title = 'read | bytes | requests/s: empty route / same bytes / Cordon | to empty | to same bytes | p99, ms | processor, µs'
	return markdown(title, rows)
}

/** Each connection asks again as soon as it was answered. */
async function loaded({port, pid, path, token, known}: Route): Promise<Load> {
	const auth = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
	const answer = known === true ? await fetch(`http://127.0.0.1:${port}${path}`, {headers: {authorization: `Bearer ${token}`}}) : null
	const tag = answer === null ? '' : `If-None-Match: ${answer.headers.get('etag')}\r\n`
	await answer?.bytes()
	const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${auth}${tag}\r\n`)
	const times: number[] = []
	// A connection is known by then: who is at its other end is looked up once.
	const sockets = await Promise.all(Array.from({length: connections}, () => opened(port)))
	await Promise.all(sockets.map(socket => asked(socket, request, 0, [])))
	const [began, busy] = [performance.now(), busyMs(pid)]
	const until = began + seconds * 1000
	await Promise.all(sockets.map(socket => asked(socket, request, until, times)))
	const took = performance.now() - began
	times.sort((a, b) => a - b)
	for (const socket of sockets) socket.destroy()
	const cost = ((busyMs(pid) - busy) * 1000) / times.length
	return {rate: (times.length / took) * 1000, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN, cost}
}

/** Linux alone tells it; proc_pid_stat(5), fields 14 and 15, in hundredths of a second. */
function busyMs(pid: number) {
	if (process.platform !== 'linux') return Number.NaN
	const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
	return (Number(user) + Number(system)) * 10
}

const headEnd = '\r\n\r\n'

function opened(port: number): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect({port, host: '127.0.0.1', noDelay: true}, () => resolve(socket))
		socket.once('error', reject)
	})
}

/** One request after the other until then, but at least one. */
function asked(socket: Socket, request: Buffer, until: number, times: number[]): Promise<void> {
	return new Promise((resolve, reject) => {
		let sentAt = 0
		let missing = -1
		const ask = () => {
			sentAt = performance.now()
			missing = -1
			socket.write(request)
		}
		const listen = (part: Buffer) => {
			// A head of this size comes in one piece.
			missing = missing === -1 ? bodyLength(part) - part.length : missing - part.length
			if (missing > 0) return
			const now = performance.now()
			times.push(now - sentAt)
			if (now < until) return ask()
			socket.off('data', listen).off('error', reject)
			resolve()
		}
		socket.on('data', listen).on('error', reject)
		ask()
	})
}

/** Of the whole answer. */
function bodyLength(part: Buffer) {
	const end = part.indexOf(headEnd)
	const head = part.toString('latin1', 0, end)
	const length = head.startsWith('HTTP/1.1 304') ? '0' : /^content-length: (\d+)/im.exec(head)?.[1]
	if (!/^HTTP\S+ (?:200|304)/.test(head) || length === undefined) throw new Error(`It answered ${head}`)
	return end + headEnd.length + Number(length)
}
