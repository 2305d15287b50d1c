import {randomUUID} from 'node:crypto'
import {createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'

import {createAgents} from './agents.ts'
import {type Answer, problem, Refusal, unauthorized} from './answer.ts'
import {createAuditLog} from './audit-log.ts'
import {type Credential, credentialFor} from './auth.ts'
import {type Quota, quotaHeaders, createQuota} from './quota.ts'
import {type Call, fieldsOf, listsOf, readText, segmentsOf, splitTarget} from './call.ts'
import {type Control, createControl} from './control.ts'
import {cutOff, deliver, effectOf, stormAnswer} from './deliver.ts'
import {createDirectory} from './directory.ts'
import {createEventLog} from './event-log.ts'
import type {StreamBroker} from './event-streams.ts'
import {createFileLists} from './file-list-store.ts'
import {createFleet} from './fleet.ts'
import {askConnector} from './isolation-machine.ts'
import {createMentioned} from './mentioned.ts'
import {createRequestLog, type RequestRecord} from './request-log.ts'
import {createRouter, type Router} from './router.ts'
import {routesOf} from './routes.ts'
import {generateTenant, type TenantSize} from './tenant/tenant.ts'
import {createWeather, type Weather, type WeatherEffect, type WeatherRule} from './weather.ts'
import type {World} from './world.ts'

export interface SandboxOptions {
	/** 0: any free port. */
	port: number
	/** Default 2,000. */
	computers?: number | undefined
	/** Default and minimum 44; the others are sites below them. */
	groups?: number | undefined
	/** Default and maximum 14. */
	fileLists?: number | undefined
	/** Same seed, same tenant. Default `cordon`. */
	seed?: string | undefined
	/** Calls per window. Default 3,000. */
	quota?: number | undefined
	/** Default 3,600. */
	windowSeconds?: number | undefined
	/** Average response delay of an agent; each host has its own spread around it. Default 4,000. */
	agentDelayMs?: number | undefined
	weather?: readonly (WeatherRule | string)[] | undefined
	clientId?: string | undefined
	/** Default: random with each start. */
	apiKey?: string | undefined
	/** Unix milliseconds. Default `Date.now`. */
	now?: (() => number) | undefined
	tls?: {cert: string; key: string} | undefined
	/** Where event streams have their queues; without one they cannot be created. Whoever gives it stops it. */
	broker?: StreamBroker | undefined
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** Starts the service on the loopback address. Rejects when the port is taken or an option is invalid. */
export async function startSandbox(options: SandboxOptions) {
	const seed = options.seed ?? 'cordon'
	const now = options.now ?? Date.now
	const [writer, reader] = credentialsOf(options)
	const world = createWorld({
		seed,
		computers: options.computers ?? 2000,
		size: {groups: options.groups, fileLists: options.fileLists},
		agentDelayMs: options.agentDelayMs ?? 4000,
		start: now()
	})
	const quota = createQuota(options.quota ?? 3000, options.windowSeconds ?? 3600)
	const controlToken = randomUUID()
	const log = createRequestLog()
	const naps = createNaps()
	const weather = createWeather(seed, options.weather ?? [], naps.wake)
	const pipeline: Pipeline = {
		scheme: options.tls === undefined ? 'http' : 'https',
		credentials: [writer, reader],
		quota,
		weather,
		router: createRouter(routesOf(world, options.broker)),
		control: createControl({token: controlToken, world, weather, quota, log}),
		record: log.record,
		now,
		wait: naps.wait,
		settle: world.settle
	}
	const server = await listen(options, (request, response) => {
		// A response that cannot be sent, such as a redirect to an invalid address, must not end the process.
		handleRequest(pipeline, request, response).catch(() => void response.destroy())
	})
	return {
		/** `http://127.0.0.1:PORT`, without a path. */
		url: addressOf(server, pipeline.scheme),
		clientId: writer.clientId,
		apiKey: writer.apiKey,
		/** A second credential whose writes get a 403. */
		readOnlyClientId: reader.clientId,
		readOnlyApiKey: reader.apiKey,
		/** Value of the header `X-Sandbox-Control`, required under `/sandbox/`. */
		controlToken,
		weather,
		/** The newest 10,000 requests under `/v1`, oldest first; the array is live. */
		requests: log.records,
		clearRequests: log.clear,
		/** The tenant and its state, for tests that act as the agent or another user. */
		world,
		/** Closes at once, with any open requests. */
		stop: () => stop(server, naps.wake)
	}
}

function credentialsOf(options: SandboxOptions): readonly [Credential, Credential] {
	const clientId = options.clientId ?? '5a7d0b0c5a7d0b0c0001'
	return [
		{clientId, apiKey: options.apiKey ?? randomUUID(), name: 'Cordon sandbox', scope: 'write'},
		{clientId: `${clientId.slice(0, -4)}0002`, apiKey: randomUUID(), name: 'Cordon sandbox (read-only)', scope: 'read'}
	]
}

async function listen(options: SandboxOptions, listener: RequestListener) {
	const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener)
	// Longer than any client keeps an idle connection, so none is closed during reuse.
	server.keepAliveTimeout = 75_000
	server.on('clientError', (_error, socket) => void socket.destroy())
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		server.listen(options.port, '127.0.0.1', resolve)
	})
	return server
}

function addressOf(server: Server, scheme: string) {
	// A TCP server that listens has an address with a port; the string form belongs to pipes.
	const {port} = server.address() as AddressInfo
	return `${scheme}://127.0.0.1:${port}`
}

async function stop(server: Server, wake: () => void) {
	const closed = new Promise<void>(resolve => void server.close(() => resolve()))
	wake()
	server.closeAllConnections()
	await closed
}

/** Waits that end early when the server stops, so that no timer remains. */
function createNaps() {
	const sleeping = new Map<NodeJS.Timeout, () => void>()
	return {
		wake: () =>
			sleeping.forEach((resolve, timer) => {
				clearTimeout(timer)
				sleeping.delete(timer)
				resolve()
			}),
		wait: (ms: number) =>
			ms <= 0
				? Promise.resolve()
				: new Promise<void>(resolve => {
						const timer = setTimeout(() => {
							sleeping.delete(timer)
							resolve()
						}, ms)
						sleeping.set(timer, resolve)
					})
	}
}

interface WorldOptions {
	seed: string
	computers: number
	size?: TenantSize | undefined
	agentDelayMs: number
	start: number
}

function createWorld({seed, computers, size, agentDelayMs, start}: WorldOptions) {
	const tenant = generateTenant(seed, computers, size)
	const fleet = createFleet(tenant, start)
	const agents = createAgents(tenant.seedNumber, agentDelayMs, fleet.online)
	const world: World = {
		tenant,
		start,
		fleet,
		directory: createDirectory(tenant),
		agents,
		events: createEventLog(tenant, start),
		audit: createAuditLog(tenant, start),
		lists: createFileLists(tenant),
		mentioned: createMentioned(tenant),
		settle: agents.settle
	}
	for (const host of tenant.hosts) {
		if (host.isolation?.status.startsWith('pending') === true) askConnector(world, host, start)
	}
	return world
}

interface Pipeline {
	scheme: 'http' | 'https'
	credentials: readonly Credential[]
	quota: Quota
	weather: Weather
	router: Router
	control: Control
	record: (record: RequestRecord) => (status: number) => void
	now: () => number
	/** Resolves early when the server stops. */
	wait: (ms: number) => Promise<void>
	/** Called before a request is carried out: applies the elapsed time to the tenant. */
	settle: (now: number) => void
}

/** Answers one request. Never rejects: an internal error becomes a 500 in the envelope. */
async function handleRequest(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse) {
	const call = callOf(pipeline, request)
	if (call.path === '/sandbox' || call.path.startsWith('/sandbox/')) return handleControl(pipeline, request, response, call)
	const finish = pipeline.record({method: call.method, path: request.url ?? '/', at: call.now, status: 0})
	const effects = pipeline.weather.strike(call.method, call.path, splitTarget(request.url ?? '/').search)
	await pipeline.wait(effectOf(effects, 'latency')?.ms ?? 0)
	if (response.destroyed || effectOf(effects, 'hang') !== undefined) return
	if (effectOf(effects, 'reset') !== undefined) return void cutOff(request.socket)
	const {answer, headers} = await answerTo(pipeline, request, call, effects)
	if (effectOf(effects, 'drop') === undefined) finish(answer.status)
	await deliver(response, {answer, headers, now: pipeline.now(), effects, wait: pipeline.wait})
}

async function handleControl(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse, call: Call) {
	const answer = await refusable(call, async () => {
		const token = request.headers['x-sandbox-control']
		return pipeline.control({...call, segments: segmentsOf(call.path)}, typeof token === 'string' ? token : '', await readText(request))
	})
	await deliver(response, {answer, headers: {}, now: pipeline.now(), effects: [], wait: pipeline.wait})
}

async function answerTo(pipeline: Pipeline, request: IncomingMessage, call: Call, effects: readonly WeatherEffect[]) {
	const header = request.headers.authorization
	const credential = credentialFor(header, pipeline.credentials)
	const now = pipeline.now()
	// An unknown id has its own window (API reference, 1.6).
	const reading = pipeline.quota.spend(credential?.clientId ?? `unknown ${header ?? ''}`, now)
	const answer = await refusable(call, async () => {
		if (reading.exceeded) return problem(429, call.self, 'The request limit of this API client is exhausted')
		if (credential === undefined) return unauthorized()
		return stormAnswer(effects, call.self) ?? carryOut(pipeline, request, {...call, now, caller: credential.name}, credential)
	})
	return {answer, headers: quotaHeaders(reading, now)}
}

async function carryOut(pipeline: Pipeline, request: IncomingMessage, call: Call, credential: Credential) {
	const text = await readText(request)
	const type = request.headers['content-type']
	const complete = {...call, segments: segmentsOf(call.path), body: fieldsOf(text, type), lists: listsOf(text, type)}
	const reads = ['GET', 'HEAD', 'OPTIONS'].includes(call.method)
	if (credential.scope === 'read' && !reads) return problem(403, call.self, 'This API client may only read')
	pipeline.settle(call.now)
	return pipeline.router(complete)
}

async function refusable(call: Call, work: () => Promise<Answer>) {
	try {
		return await work()
	} catch (error) {
		if (error instanceof Refusal) return problem(error.status, call.self, error.message)
		return problem(500, call.self, error instanceof Error ? error.message : 'Unknown failure')
	}
}

function callOf(pipeline: Pipeline, request: IncomingMessage): Call {
	const {path, search} = splitTarget(request.url ?? '/')
	const origin = `${pipeline.scheme}://${request.headers.host ?? 'localhost'}`
	return {
		method: request.method ?? 'GET',
		path,
		segments: [],
		query: new URLSearchParams(search),
		origin,
		self: `${origin}${path}${search.replaceAll('[', '%5B').replaceAll(']', '%5D')}`,
		body: {},
		lists: {},
		caller: '',
		now: pipeline.now()
	}
}
