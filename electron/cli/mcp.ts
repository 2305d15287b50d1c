/** `cordon mcp …`: enabled assistants, and their server over standard input and output. */
import {messageOf} from '#contract/errors.ts'
import type {Tokens} from '#core/doors/tokens.ts'
import {shellValue} from '#model/typed.ts'

import {doorToken, storedDoors, testDoor, tokensOf, tokenTable} from './api.ts'
import {usage} from './faults.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {inSession, type Session, type SubCall, type SubRun} from './session.ts'

interface Run extends SubRun {
	tokens: Tokens
	name: string
}

export async function runMcp(call: SubCall) {
	const {spec, words} = call.sub
	return await inSession(call, spec.name === 'mcp' ? 'service' : 'stores', run =>
		(actions[spec.name] ?? serve)({...run, tokens: tokensOf(run.session), name: words[0] ?? ''})
	)
}

const actions: Readonly<Record<string, (run: Run) => number | Promise<number>>> = {
	'mcp enable': enable,
	'mcp list': run => tokenTable(run, 'assistant'),
	'mcp test': test,
	'mcp disable': disable
}

function enable(run: Run) {
	const {sub, session, tokens, name} = run
	if (['enable', 'list', 'test', 'disable'].includes(name.toLowerCase()))
		throw usage(`An assistant cannot be named ${name}`, 'choose another name', 'NAME')
	const scope = sub.options.has('propose') ? 'change' : 'read'
	const made = tokens.create({...doorToken(sub, session, name), kind: 'assistant', scope}, 'cli')
	const message = [
		`${made.name} is enabled until ${made.endsAt}. Over standard input and output: cordon mcp ${shellValue(made.name)}`,
		`Over HTTP, with the local API on, its token (shown this once):\n${made.token}`
	].join('\n')
	return printObject(run, {name}, made, message)
}

function disable(run: Run) {
	const {tokens, name} = run
	const disabled = tokens.revoke(tokens.assistant(name).id, 'cli')
	return printObject(run, {name}, disabled, `${disabled.name} is disabled. Its calls are refused from now on.`)
}

async function test(run: Run) {
	const doors = run.session.console?.doors ?? (await storedDoors(run.session))
	return await testDoor(run, doors, {token: run.tokens.assistant(run.name).id})
}

/** Until standard input ends. The SDK is loaded only here. */
async function serve({host, output, session, tokens, name}: Run) {
	const {profile, ports, console} = session
	const {serveAssistant} = await import('#core/doors/assistants/stdio.ts')
	const {connections, guards, approvals, log} = profile
	await serveAssistant({
		...{name, tokens, clock: ports.clock, connections, guards, approvals, log},
		runner: console?.runner ?? (await ownRunner(session, output)),
		own: console,
		...{input: host.stdin, output: host.stdout, signal: AbortSignal.any([host.signal, output.gone])},
		onTrouble: (message, error) => output.say(`${message} ${messageOf(error)}`)
	})
	return 0
}

async function ownRunner({ports, profile}: Session, output: Output) {
	const {createRunner} = await import('#core/actions/commands/runner.ts')
	const {connections, log, locks, guards, escrow, approvals} = profile
	const onTrouble = (message: string) => output.say(message)
	return createRunner({clock: ports.clock, connections, log, locks, guards, escrow, approvals, onTrouble})
}
