/** MCP over standard input and output, for a client enabled by name. */
import {once} from 'node:events'
import type {Readable, Writable} from 'node:stream'

import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio'

import {CordonError} from '#contract/errors.ts'

import type {Clock} from '#base/ports.ts'
import {createPace} from '../gate.ts'
import type {Tokens} from '../tokens.ts'
import {createReasons} from './reasons.ts'
import {assistantServer, type AssistantDependencies} from './server.ts'

interface StdioDependencies extends Omit<AssistantDependencies, 'admit' | 'isAdmitted' | 'onUse' | 'reasons'> {
	clock: Clock
	tokens: Pick<Tokens, 'assistant' | 'isLive' | 'used' | 'flush'>
	/** Of the enabled client. */
	name: string
	input: Readable
	output: Writable
	signal: AbortSignal
}

/** Runs until standard input ends. Throws `token_refused` if the client is not enabled. */
export async function serveAssistant({name, tokens, clock, input, output, signal, ...parts}: StdioDependencies) {
	let {id} = tokens.assistant(name)
	const pace = createPace(clock.monotonic)
	const admit = () => {
		const token = tokens.assistant(name)
		;({id} = token)
		const waitMs = pace.take(token.id, token.perMinute)
		if (waitMs === 0) return token
		throw new CordonError('rate_limited', `This client has ${token.perMinute} requests a minute. Nothing was done.`, {
			retryAt: new Date(clock.now() + waitMs).toISOString()
		})
	}
	const onUse = (use: Parameters<Tokens['used']>[1]) => tokens.used(id, use)
	const own = {...parts, admit, isAdmitted: tokens.isLive, reasons: createReasons(), onUse}
	const ended = once(input, 'end', {signal}).catch(() => {})
	const served = serveStdio(() => assistantServer(own, tokens.assistant(name)), {
		transport: new StdioServerTransport(input, output),
		onerror: error => parts.onTrouble('The assistant sent what could not be read.', error)
	})
	await ended
	await served.close()
	tokens.flush()
}
