/** The local API of a profile: off by default, served by the process that owns the console. */
import {join} from 'node:path'

import {CordonError, messageOf} from '#contract/errors.ts'
import type {DoorChange, DoorState, DoorSubject} from '#model/door.ts'
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
import {tryDoor} from './trial.ts'
import {openTokens, type TokenDependencies, type Tokens} from './tokens.ts'

interface DoorsOptions
	extends Omit<TokenDependencies, 'connections' | 'version'>, Omit<ApiDependencies, 'answers' | 'kept' | 'clock' | 'guards'> {
	profile: string
	inventories: Pick<Inventories, 'open' | 'opened'>
	guards: () => Pick<Guards, 'rules'>
	onTrouble: (message: string, error: unknown) => void
	userOf?: ListenOptions['userOf']
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
			})
	}
}

async function start(options: DoorsOptions & Pick<ApiDependencies, 'kept'>, tokens: Tokens, port: number | null) {
	const {database, clock, profile, onTrouble, userOf, guards, kept} = options
	const deps: ApiDependencies = {...options, guards: guards(), answers: openAnswers(database, clock)}
	return await listen({
		...{tokens, clock, onTrouble, userOf, ready: kept.find, respond: byKind(createApi(deps), deps, onTrouble)},
		at: port === null ? {socket: join(profile, socketName)} : {port}
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
