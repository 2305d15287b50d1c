/** The local API of a profile: off by default, served by the process that owns the console. */
import {join} from 'node:path'
import {CordonError, messageOf} from '#contract/errors.ts'
import type {DoorChange, DoorState, DoorSubject, AccessToken, DoorTest} from '#model/door.ts'
import type {Surface} from '#model/incident.ts'
import type {Guards} from '#core/actions/guards/guards.ts'
import {perTurn} from '#base/per-turn.ts'
import {createTurns} from '#base/turns.ts'
import type {Inventories} from '#core/replicas/computers/replica.ts'
import {versionOf} from '#core/store/version.ts'
import {openAnswers} from './answers.ts'
import {createApi, type ApiDependencies} from './api.ts'
import {keepAnswers} from './kept.ts'
import {listen, type Listening, type ListenOptions, type Respond} from './server.ts'
import {storedDoor} from './stored.ts'
import {openTokens, type TokenDependencies, type Tokens} from './tokens.ts'
import {request} from 'node:http'
import type {Connections} from '#core/service/connections/types.ts'

interface DoorsOptions
	extends Omit<TokenDependencies, 'connections' | 'version'>, Omit<ApiDependencies, 'answers' | 'kept' | 'clock' | 'guards'> {
	readonly profile: string
	readonly inventories: Pick<Inventories, 'open' | 'opened'>
	readonly guards: () => Pick<Guards, 'rules'>
	readonly onTrouble: (message: string, error: unknown) => void
	readonly userOf?: ListenOptions['userOf']
}

export type Doors = ReturnType<typeof openDoors>

const socketName = 'api.sock'
const assistantsPath = '/mcp'

export function openDoors(options: DoorsOptions) {
	const version = perTurn(() => versionOf(options.database))
	const tokens = openTokens({...options, version})
	const kept = keepAnswers({...options, version})
	const turn = createTurns()
	const stored = storedDoor(options.database, options.note)
	let serving = false
	let open: Listening | undefined
	let problem: string | null = null
	const close = async () => {
		await open?.stop()
		open = undefined
		tokens.flush()
	}
	const follow = async () => {
		await close()
		const {on, port} = stored.state()
		problem = null
		if (!on || !serving) return
		try {
			open = await start({...options, kept}, tokens, port)
		} catch (error) {
			problem = `The local API cannot listen: ${messageOf(error)}`
			options.onTrouble(problem, error)
		}
	}
	const state = (): DoorState => ({...stored.state(), address: open?.address ?? null, problem})
	return {
		tokens,
		state,
		/** Stored, and applied at once if this process serves. */
		set: (change: DoorChange, surface: Surface) =>
			turn(async () => {
				await stored.set(change, surface)
				await follow()
				return state()
			}),
		/** From now on this process serves the API while it is on. */
		serve: () =>
			turn(async () => {
				serving = true
				await follow()
			}),
		/** Sends one request as a client would: with a temporary token, or in place of an existing one. */
		test: (subject: DoorSubject, surface: Surface) => tryDoor({...options, tokens, address: state().address}, subject, surface),
		stop: () =>
			turn(async () => {
				serving = false
				await close()
			}),
	}
}

async function start(options: DoorsOptions & Pick<ApiDependencies, 'kept'>, tokens: Tokens, port: number | null) {
	const {database, clock, profile, onTrouble, userOf, guards, kept} = options
	const deps: ApiDependencies = {...options, guards: guards(), answers: openAnswers(database, clock)}
	return await listen({
		...{tokens, clock, onTrouble, userOf, ready: kept.find, respond: byKind(createApi(deps), deps, onTrouble)},
		at: port === null ? {socket: join(profile, socketName)} : {port},
	})
}

/** Assistants use their own route only; programs cannot use it. */
function byKind(api: Respond, deps: ApiDependencies, onTrouble: DoorsOptions['onTrouble']): Respond {
	let assistants: Promise<Respond> | undefined
	return async visit => {
		const isForAssistants = visit.url.pathname === assistantsPath
		if (isForAssistants !== (visit.token.kind === 'assistant'))
			throw new CordonError('out_of_scope', `A token of an assistant is for ${assistantsPath}, and no other is.`)
		if (!isForAssistants) return await api(visit)
		assistants ??= import('./assistants/http.ts').then(({mcpOverHttp}) => mcpOverHttp({...deps, own: deps, onTrouble}))
		return await (
			await assistants
		)(visit)
	}
}

interface TrialDependencies {
	readonly tokens: Pick<Tokens, 'create' | 'revoke' | 'find' | 'lend'>
	readonly connections: Pick<Connections, 'list'>
	/** `null`: it does not listen. */
	readonly address: string | null
}

/** Sends a request as a program or an assistant would. */
async function tryDoor(deps: TrialDependencies, subject: DoorSubject, surface: Surface): Promise<DoorTest> {
	const began = performance.now()
	const told = await ('token' in subject ? tryToken(deps, subject.token) : tryOnce(deps, subject.connection, surface))
	return {...told, durationMs: Math.round(performance.now() - began)}
}

type Told = Omit<DoorTest, 'durationMs'>

const closed: Told = {ok: false, status: null, message: 'The local API does not listen.'}

/** With a token valid for this one request. */
async function tryOnce({tokens, address}: TrialDependencies, connection: string, surface: Surface): Promise<Told> {
	if (address === null) return closed
	const name = `Test ${new Date().toISOString()}`
	const made = tokens.create({name, connections: [connection], days: 1, perMinute: 1}, surface)
	try {
		const status = await statusFrom(address, made.token, {path: '/api/v1/openapi.json'})
		return {ok: status === 200, status, message: status === 200 ? 'It answered.' : `It answered with ${status}.`}
	} catch (error) {
		return unreached(error)
	} finally {
		tokens.revoke(made.id, surface)
	}
}

function unreached(error: unknown): Told {
	return {ok: false, status: null, message: messageOf(error)}
}

/** In place of an existing token, whose text is not stored. */
async function tryToken({tokens, connections, address}: TrialDependencies, idOrName: string): Promise<Told> {
	const names: string[] = []
	const token = tokens.find(idOrName)
	const stands = `${token.name} is ${token.state}.`
	if (address === null) return {...closed, message: `${stands} ${closed.message}`}
	const all = connections.list()
	for (const id of token.connections) {
		const lent = tokens.lend(token.id)
		const name = all.find(one => one.id === id)?.name ?? id
		try {
			const status = await statusFrom(address, lent.text, trialOf(token, id))
			if (status !== 200) return {ok: false, status, message: `${stands} For ${name} it is answered with ${status}.`}
		} catch (error) {
			return unreached(error)
		} finally {
			lent.end()
		}
		names.push(name)
	}
	return {ok: true, status: 200, message: `${stands} It reaches ${names.join(', ')}.`}
}

interface Trial {
	readonly path: string
	/** JSON. */
	readonly body?: string
}

/** Requests that cost no API call. */
function trialOf({kind}: AccessToken, connection: string): Trial {
	if (kind === 'program') return {path: `/api/v1/local/computers?limit=1&connection=${encodeURIComponent(connection)}`}
	const params = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'Cordon', version: '0'}}
	return {path: '/mcp', body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params})}
}

function statusFrom(address: string, token: string, {path, body}: Trial): Promise<number> {
	const at = address.startsWith('http') ? {...urlParts(address), path} : {socketPath: address, path}
	const headers = {
		authorization: `Bearer ${token}`,
		...(body !== undefined && {'content-type': 'application/json', accept: 'application/json, text/event-stream'}),
	}
	return new Promise((resolve, reject) => {
		const call = request({...at, agent: false, method: body === undefined ? 'GET' : 'POST', headers}, answer => {
			answer.resume()
			answer.on('end', () => resolve(answer.statusCode ?? 0))
		})
		call.setTimeout(5000, () => call.destroy(new Error('It did not answer within 5 seconds.')))
		call.on('error', reject)
		call.end(body)
	})
}

function urlParts(address: string) {
	const {hostname: host, port} = new URL(address)
	return {host, port}
}
