import {omitUndefined} from '#shared/omit-undefined.ts'
import type {Doors} from '#core/doors/doors.ts'
import {openTokens, type Tokens} from '#core/doors/tokens.ts'
import {scopeWords, type AccessToken, type DoorState, type DoorSubject, type NewToken, type TokenScope} from '#model/door.ts'

import {optionOf, type Sub, numberOption, valuesOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject, printTable} from './result.ts'
import {withSession, type Session} from './session.ts'

interface Run {
	readonly sub: Sub
	readonly output: Output
	readonly session: Session
	readonly doors: Pick<Doors, 'state' | 'set' | 'test'>
	readonly tokens: Pick<Tokens, 'list' | 'create' | 'revoke'>
}

export async function runApi(sub: Sub, host: CliHost, output: Output): Promise<number> {
	return await withSession(sub.globals, host, 'stores', async session => {
		const {profile, ports, console} = session
		const parts = {...ports, database: profile.database, connections: profile.connections, note: profile.note}
		// A running console serves the API itself; without one, the change holds from its next start.
		const tokens = console?.doors.tokens ?? openTokens(parts)
		const doors = console?.doors ?? (await storedDoors(session))
		return await (actions[sub.spec.name] ?? status)({sub, output, session, tokens, doors})
	})
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
	'api token': token,
}

async function on(run: Run): Promise<number> {
	const {options} = run.sub
	const port = numberOption(run.sub, 'port', 0, 65_535)
	if (port !== undefined && options.has('socket')) throw usage('--port and --socket exclude each other', 'give one of them', 'port')
	const change = options.has('socket') ? {port: null} : port === undefined ? {} : {port}
	return tell(run, await run.doors.set({on: true, ...change}, 'cli'))
}

async function status(run: Run): Promise<number> {
	return tell(run, run.doors.state())
}

function tell({sub, output}: Run, state: DoorState) {
	printObject(output, sub.spec.name, {}, state, stateText(state))
	return state.problem === null ? 0 : 1
}

function stateText({on: isOn, port, address, problem}: DoorState) {
	if (!isOn) return 'The local API is off.'
	if (problem !== null) return problem
	if (address !== null) return `The local API is on, at ${address}.`
	const where = port === null ? 'a UNIX socket in the profile' : `port ${port} of 127.0.0.1`
	return `The local API is on, at ${where}, whenever the console of this profile runs.`
}

async function test({sub, output, session, doors}: Run): Promise<number> {
	const [token] = sub.words
	const {connections} = session.profile
	const subject = token === undefined ? {connection: storedConnection(connections, sub.globals.connection).id} : {token}
	return await testDoor({sub, output}, doors, subject)
}

export async function testDoor(
	{sub, output}: Pick<Run, 'sub' | 'output'>,
	doors: Pick<Doors, 'test'>,
	subject: DoorSubject,
): Promise<number> {
	const result = await doors.test(subject, 'cli')
	printObject(output, sub.spec.name, {}, result, result.message)
	return result.ok ? 0 : 1
}

async function token(run: Run): Promise<number> {
	const [action = '', name] = run.sub.words
	if (action === 'list') return list(run)
	if (name === undefined) throw usage(`api token ${action} needs a name`, 'give it as the last word', 'NAME')
	if (action === 'create') return create(run, name)
	const revoked = run.tokens.revoke(name, 'cli')
	printObject(run.output, run.sub.spec.name, {name}, revoked, `The token ${revoked.name} is revoked.`)
	return 0
}

function create({sub, output, session, tokens}: Run, name: string) {
	const scope = (optionOf(sub, 'scope') ?? 'read') as TokenScope // one of the choices
	const made = tokens.create({...doorToken(sub, session, name), scope}, 'cli')
	const message = `${made.token}\nThis is the only time that the token is shown. It expires ${made.endsAt}.`
	printObject(output, sub.spec.name, {name}, made, message)
	return 0
}

export function doorToken({options, globals}: Sub, {profile}: Session, name: string): NewToken {
	const given = valuesOf({options}, 'for')
	const connections = given.length > 0 ? given : [storedConnection(profile.connections, globals.connection).id]
	const [days, perMinute] = [numberOption({options}, 'days', 1, 366), numberOption({options}, 'per-minute', 1, 10_000_000)]
	return {...{name, connections}, ...omitUndefined({days, perMinute})}
}

function list(run: Run) {
	const programs = run.tokens.list().filter(({kind}) => kind === 'program')
	return tokenTable(programs, run, 'No tokens yet.')
}

export function tokenTable(
	all: readonly AccessToken[],
	{sub, output, session}: Pick<Run, 'sub' | 'output' | 'session'>,
	empty: string,
): number {
	const names = new Map(session.profile.connections.list().map(({id, name}) => [id, name]))
	const rows = all.map(one => [
		...[one.name, scopeWords(one), one.connections.map(id => names.get(id) ?? id).join(', '), one.state],
		...[one.endsAt.slice(0, 10), one.usedAt ?? 'never', one.client ?? '', String(one.requests), String(one.refused)],
	])
	const columns = ['Name', 'Scope', 'Connections', 'State', 'Expires', 'Last use', 'By', 'Requests', 'Refused']
	return printTable({output, sub}, columns, rows, all, all.length === 0 ? empty : '')
}
