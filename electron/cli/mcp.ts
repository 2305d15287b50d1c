/** `cordon mcp …`: enabled assistants, and their server over standard input and output. */
import type {CommandDependencies} from '#core/doors/commands.ts'
import {openTokens, type Tokens} from '#core/doors/tokens.ts'

import {doorToken, storedDoors, testDoor, tokenTable} from './api.ts'
import type {Sub} from './argv.ts'
import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {withSession, type Session, type SubRun} from './session.ts'

interface Run extends SubRun {
	readonly tokens: Tokens
	readonly name: string
}

export async function runMcp(sub: Sub, host: CliHost, output: Output): Promise<number> {
	const isServing = sub.spec.name === 'mcp'
	return await withSession(sub.globals, host, isServing ? 'service' : 'stores', async session => {
		const {profile, ports, console} = session
		const parts = {...ports, database: profile.database, connections: profile.connections, note: profile.note}
		const tokens = console?.doors.tokens ?? openTokens(parts)
		const run = {sub, host, output, session, tokens, name: sub.words[0] ?? ''}
		return await (actions[sub.spec.name] ?? serve)(run)
	})
}

const actions: Readonly<Record<string, (run: Run) => number | Promise<number>>> = {
	'mcp enable': enable,
	'mcp list': list,
	'mcp test': test,
	'mcp disable': disable,
}

function enable({sub, output, session, tokens, name}: Run) {
	if (['enable', 'list', 'test', 'disable'].includes(name.toLowerCase()))
		throw usage(`An assistant cannot be named ${name}`, 'choose another name', 'NAME')
	const scope = sub.options.has('propose') ? 'change' : 'read'
	const made = tokens.create({...doorToken(sub, session, name), kind: 'assistant', scope}, 'cli')
	const message = [
		`${made.name} is enabled until ${made.endsAt}. Over standard input and output: cordon mcp ${made.name}`,
		`Over HTTP, with the local API on, its token (shown this once):\n${made.token}`,
	].join('\n')
	printObject(output, sub.spec.name, {name}, made, message)
	return 0
}

function disable({sub, output, tokens, name}: Run) {
	const disabled = tokens.revoke(tokens.assistant(name).id, 'cli')
	printObject(output, sub.spec.name, {name}, disabled, `${disabled.name} is disabled. Its calls are refused from now on.`)
	return 0
}

async function test(run: Run): Promise<number> {
	const doors = run.session.console?.doors ?? (await storedDoors(run.session))
	return await testDoor(run, doors, {token: run.tokens.assistant(run.name).id})
}

function list({sub, output, session, tokens}: Run) {
	const all = tokens.list().filter(({kind}) => kind === 'assistant')
	return tokenTable(all, {sub, output, session}, 'No assistants yet.')
}

/** Until standard input ends. The SDK is loaded only here. */
async function serve({host, output, session, tokens, name}: Run): Promise<number> {
	const {profile, ports, console} = session
	const {serveAssistant} = await import('#core/doors/assistants/stdio.ts')
	const {connections, guards, approvals, log} = profile
	await serveAssistant({
		...{name, tokens, clock: ports.clock, connections, guards, approvals, log},
		runner: console?.runner ?? (await ownRunner(session, output)),
		own: console,
		...{input: host.stdin, output: host.stdout, signal: AbortSignal.any([host.signal, output.gone])},
		onTrouble: (message, error) => output.say(`${message} ${error instanceof Error ? error.message : String(error)}`),
	})
	return 0
}

async function ownRunner({ports, profile}: Session, output: Output): Promise<CommandDependencies['runner']> {
	const {createRunner} = await import('#core/actions/commands/runner.ts')
	const {connections, log, locks, guards, escrow, approvals} = profile
	const onTrouble = (message: string) => output.say(message)
	return createRunner({clock: ports.clock, connections, log, locks, guards, escrow, approvals, onTrouble})
}
