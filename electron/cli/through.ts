/** The command line while a console runs on its profile: the console answers; files and terminal stay here. */
import {once} from 'node:events'
import {dirname, resolve} from 'node:path'

import {CordonError, reportError, messageOf, usageError, systemCode} from '#contract/errors.ts'
import {version} from '#shared/version.ts'

import {messageBytes, type Channel, type Message} from '../socket/channel.ts'
import {reachConsole} from '../socket/reach.ts'
import type {Invocation} from './argv.ts'
import {mostWords, sendContent, type Terminal} from './console-words.ts'
import {profileFolder, type CliHost} from './host.ts'
import {columnsOf, type Output} from './output.ts'

type Asked = Exclude<Invocation, {kind: 'help' | 'version'}>

interface Exchange {
	argv: readonly string[]
	host: CliHost
	output: Output
	channel: Channel
	/** Files sent by the console, not written yet. */
	written: Map<number, {how: Message; parts: Buffer[]}>
	/** Standard input, once requested. */
	input: AsyncIterator<unknown> | undefined
}

/** The exit code; `undefined` without a running console, when the profile has to be opened here. */
export async function throughConsole(argv: readonly string[], invocation: Asked, host: CliHost, output: Output) {
	const {globals} = invocation
	const profile = resolve(profileFolder(globals.profile, host))
	const channel = await reachConsole({profile, version, signal: host.signal})
	if (channel === undefined) return undefined
	const exchange: Exchange = {argv, host, output, channel, written: new Map(), input: undefined}
	const left = Promise.withResolvers<never>()
	const abort = () => void channel.send({kind: 'abort'})
	const leave = () => left.reject(leftBehind(invocation))
	const gone = () => void channel.send({kind: 'gone'})
	const over = new AbortController()
	const how = {once: true, signal: over.signal}
	host.signal.addEventListener('abort', abort, how)
	host.cut.addEventListener('abort', leave, how)
	output.gone.addEventListener('abort', gone, how)
	try {
		const ask = {kind: 'ask', argv, folder: host.folder, ...terminals(exchange)}
		if (argv.length > mostWords || Buffer.byteLength(JSON.stringify(ask)) > messageBytes)
			throw usageError('The command is longer than 20,000 words or 1 MB. Nothing was done: put its values into a file.')
		await channel.send(ask)
		if (host.signal.aborted) abort()
		return await Promise.race([answered(exchange, invocation), left.promise])
	} finally {
		over.abort()
		if (host.stdin.isTTY) host.stdin.setRawMode(false)
		channel.close()
	}
}

function terminals({host: {stdin, stdout, stderr}, output}: Exchange): Readonly<Record<'stdin' | 'stdout' | 'stderr', Terminal>> {
	const of = (stream: {isTTY?: boolean; columns?: number}): Terminal => ({isTTY: stream.isTTY === true, columns: columnsOf(stream)})
	return {stdin: of(stdin), stdout: of(stdout), stderr: {...of(stderr), isTTY: output.talksToTerminal}}
}

/** Sequential: while a slow reader blocks output, nothing more is read from the console. */
async function answered(exchange: Exchange, invocation: Asked) {
	for await (const message of exchange.channel.messages) {
		const {kind, code} = message
		if (kind === 'exit') return typeof code === 'number' ? code : 1
		await follow(exchange, message)
	}
	throw lost(invocation)
}

async function follow(exchange: Exchange, message: Message) {
	const {host, output, written} = exchange
	const {kind, id, text, on} = message
	if (kind === 'out' && !output.gone.aborted) await put(host.stdout, text, output.gone)
	else if (kind === 'err') await put(host.stderr, text, output.gone)
	else if (kind === 'pull') void pull(exchange)
	else if (kind === 'raw' && host.stdin.isTTY) host.stdin.setRawMode(on === true)
	else if (kind === 'read' && typeof id === 'number') await answerFile(exchange, id, () => contentOf(exchange, message))
	else if (kind === 'write' && typeof id === 'number') written.set(id, {how: message, parts: []})
	else if (kind === 'part' && typeof id === 'number') written.get(id)?.parts.push(Buffer.from(String(message['data']), 'base64'))
	else if (kind === 'done' && typeof id === 'number') await answerFile(exchange, id, () => writeOut(exchange, id))
}

async function put(stream: NodeJS.WriteStream, text: unknown, gone: AbortSignal) {
	if (typeof text !== 'string' || stream.destroyed || stream.write(text)) return
	await once(stream, 'drain', {signal: gone}).catch(() => {})
}

/** One piece at a time, on the console's request. */
async function pull(exchange: Exchange) {
	const {channel, host} = exchange
	try {
		const input = (exchange.input ??= host.stdin.iterator({destroyOnReturn: false}))
		const {done, value} = await input.next()
		if (done === true) return await channel.send({kind: 'inputEnd'})
		const bytes = Buffer.from(value as string | Uint8Array)
		await channel.send({kind: 'input', data: bytes.toString('base64')})
	} catch {
		await channel.send({kind: 'inputEnd'})
	}
}

/** Only files named in this command are read or written, whatever the console requests. */
function namedPath({argv, host}: Exchange, file: unknown, inFolder: boolean) {
	const values = argv.flatMap(word => [word, ...(word.startsWith('--') ? [word.slice(word.indexOf('=') + 1)] : [])])
	if (typeof file === 'string' && values.includes(file)) return file
	if (typeof file === 'string' && inFolder && values.some(value => resolve(host.folder, value) === dirname(file))) return file
	throw usageError('The console asked for a file that this command does not name. It gets none.')
}

async function contentOf(exchange: Exchange, message: Message) {
	const {files} = exchange.host
	const path = namedPath(exchange, message['file'], false)
	const {option, most} = message
	if (typeof option !== 'string' || typeof most !== 'number') return await files.read(path)
	return await files.readOwn(path, option, most)
}

async function writeOut(exchange: Exchange, id: number) {
	const found = exchange.written.get(id)
	exchange.written.delete(id)
	const {file, mode, folder} = found?.how ?? {}
	const path = namedPath(exchange, file, folder === true)
	const how = {...(typeof mode === 'number' && {mode}), folder: folder === true}
	await exchange.host.files.write(path, Buffer.concat(found?.parts ?? []), how)
	return ''
}

async function answerFile({channel}: Exchange, id: number, work: () => Promise<string>) {
	try {
		await sendContent(channel, id, await work())
	} catch (error) {
		const {field} = reportError(error)
		const message = messageOf(error)
		const how = error instanceof CordonError ? {code: 'usage', field} : {system: systemCode(error)}
		await channel.send({kind: 'failed', id, message, ...how})
	}
}

/** Last words of subcommands that only read. */
const reading = /(?:^log|\b(?:list|show|export|status|runs|versions|diff|requests|output|unreadable|refused))$/

function changes({kind, spec}: Asked) {
	return kind === 'subcommand' ? !reading.test(spec.name) : spec.risk !== 'read'
}

function lost(invocation: Asked) {
	if (!changes(invocation)) return new CordonError('reset', 'The console ended before it answered. Run the command again.')
	return new CordonError(
		'outcome_unknown',
		'Outcome unknown: the console ended before it answered. A change may have been carried out. Check the current state and the incident log before you run the command again.'
	)
}

/** The second Ctrl+C. The console continues what was sent. */
function leftBehind(invocation: Asked) {
	if (invocation.kind === 'subcommand')
		return new CordonError('cancelled', 'Left at once. The console goes on with what was sent, and records it.')
	if (!changes(invocation)) return new CordonError('cancelled', 'Left at once.')
	return new CordonError('outcome_unknown', 'Outcome unknown. The console still waits for the answer, and records it in the incident log.')
}
