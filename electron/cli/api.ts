import {omitUndefined} from '#shared/omit-undefined.ts'
import type {Doors} from '#core/doors/doors.ts'
import {openTokens, type Tokens} from '#core/doors/tokens.ts'
import {scopeWords, type AccessToken, type DoorState, type DoorSubject, type NewToken, type TokenScope} from '#model/door.ts'

import {type Sub, numberOption, valuesOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {printObject, printTable} from './result.ts'
import {inSession, type Session, type SubCall, type SubRun} from './session.ts'

interface Run extends SubRun {
	doors: Pick<Doors, 'state' | 'set' | 'test'>
	tokens: Pick<Tokens, 'list' | 'create' | 'revoke'>
}

export async function runApi(call: SubCall) {
	return await inSession(call, 'stores', async run => {
		// A running console serves the API itself; without one, the change holds from its next start.
		const doors = run.session.console?.doors ?? (await storedDoors(run.session))
		return await (actions[call.sub.spec.name] ?? status)({...run, tokens: tokensOf(run.session), doors})
	})
}

export function tokensOf({profile, ports, console}: Session): Tokens {
	const {database, connections, note} = profile
	return console?.doors.tokens ?? openTokens({...ports, database, connections, note})
}

export async function storedDoors({profile}: Session): Promise<Run['doors']> {
	const {storedDoor} = await import('#core/doors/stored.ts')
	return storedDoor(profile.database, profile.note)
}

const actions: Readonly<Record<string, (run: Run) => Promise<number>>> = {
	'api on': on,
	'api off': async run => tell(run, await run.doors.set({on: false}, 'cli')),
	'api status': status,
	'api test': test,
	'api token': token
}

async function on(run: Run) {
	const {options} = run.sub
	const port = numberOption(run.sub, 'port', 0, 65_535)
	if (port !== undefined && options.has('socket')) throw usage('--port and --socket exclude each other', 'give one of them', 'port')
	const change = options.has('socket') ? {port: null} : port === undefined ? {} : {port}
	return tell(run, await run.doors.set({on: true, ...change}, 'cli'))
}

async function status(run: Run) {
	return tell(run, run.doors.state())
}

function tell(run: Run, state: DoorState) {
	return printObject(run, {}, state, stateText(state), {code: Number(state.problem !== null)})
}

function stateText({on: isOn, port, address, problem}: DoorState) {
	if (!isOn) return 'The local API is off.'
	if (problem !== null) return problem
	if (address !== null) return `The local API is on, at ${address}.`
	const where = port === null ? 'a UNIX socket in the profile' : `port ${port} of 127.0.0.1`
	return `The local API is on, at ${where}, whenever the console of this profile runs.`
}

async function test(run: Run) {
	const {sub, session, doors} = run
	const [token] = sub.words
	const {connections} = session.profile
	const subject = token === undefined ? {connection: storedConnection(connections, sub.globals.connection).id} : {token}
	return await testDoor(run, doors, subject)
}

export async function testDoor(run: SubRun, doors: Pick<Doors, 'test'>, subject: DoorSubject) {
	const result = await doors.test(subject, 'cli')
	return printObject(run, {}, result, result.message, {code: Number(!result.ok)})
}

async function token(run: Run) {
	const [action = '', name] = run.sub.words
	if (action === 'list') return tokenTable(run, 'program')
	if (name === undefined) throw usage(`api token ${action} needs a name`, 'give it as the last word', 'NAME')
	if (action === 'create') return create(run, name)
	const revoked = run.tokens.revoke(name, 'cli')
	return printObject(run, {name}, revoked, `The token ${revoked.name} is revoked.`)
}

function create(run: Run, name: string) {
	const {sub, option, session, tokens} = run
	const scope = (option('scope') ?? 'read') as TokenScope // one of the choices
	const made = tokens.create({...doorToken(sub, session, name), scope}, 'cli')
	const message = `${made.token}\nThis is the only time that the token is shown. It expires ${made.endsAt}.`
	return printObject(run, {name}, made, message)
}

export function doorToken({options, globals}: Sub, {profile}: Session, name: string): NewToken {
	const given = valuesOf({options}, 'for')
	const connections = given.length > 0 ? given : [storedConnection(profile.connections, globals.connection).id]
	const [days, perMinute] = [numberOption({options}, 'days', 1, 366), numberOption({options}, 'per-minute', 1, 10_000_000)]
	return {...{name, connections}, ...omitUndefined({days, perMinute})}
}

export function tokenTable(run: SubRun & Pick<Run, 'tokens'>, kind: AccessToken['kind']) {
	const all = run.tokens.list().filter(one => one.kind === kind)
	const names = new Map(run.session.profile.connections.list().map(({id, name}) => [id, name]))
	const rows = all.map(one => [
		...[one.name, scopeWords(one), one.connections.map(id => names.get(id) ?? id).join(', '), one.state],
		...[one.endsAt.slice(0, 10), one.usedAt ?? 'never', one.client ?? '', String(one.requests), String(one.refused)]
	])
	const columns = ['Name', 'Scope', 'Connections', 'State', 'Expires', 'Last use', 'By', 'Requests', 'Refused']
	return printTable(run, columns, rows, all, all.length === 0 ? `No ${kind === 'program' ? 'token' : kind}s yet.` : '')
}
