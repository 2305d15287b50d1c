/** The console's end of a command line: the same commands, with the console's parts and the typist's terminal. */
import {Readable, Writable} from 'node:stream'

import {z} from 'zod'

import {actingFor} from '#base/acting.ts'
import type {App} from '#core/app/app.ts'
import {CordonError, messageOf, usageError} from '#contract/errors.ts'
import {version} from '#shared/version.ts'

import type {Channel, Message} from '../socket/channel.ts'
import {listenForCommandLines} from '../socket/listen.ts'
import type {ConsoleDependencies} from './console-parts.ts'
import {mostWords, sendContent, textParts, type Kind} from './console-words.ts'
import type {CliFiles} from './files.ts'
import type {CliHost} from './host.ts'
import {runCli} from './main.ts'

interface AnswerOptions {
	app: Pick<App, 'deps'>
	opened: ConsoleDependencies['opened']
	/** `XDG_RUNTIME_DIR`, where there is one. */
	runtimeFolder: string | undefined
	log: (message: string) => void
}

/**
 * Answers this profile's command lines until the returned function is called. Without a safe place for the socket a warning
 * says so, and command lines open the profile themselves.
 */
export async function answerCommandLines(options: AnswerOptions) {
	try {
		return (await serveCommandLines(options)).stop
	} catch (error) {
		options.log(messageOf(error))
		return () => Promise.resolve()
	}
}

function serveCommandLines({app, opened, runtimeFolder, log}: AnswerOptions) {
	const console: ConsoleDependencies = {...app.deps, opened}
	return listenForCommandLines({
		profile: console.ports.profile,
		runtimeFolder,
		version,
		onRefusal: log,
		onCommandLine: (channel, stopping) => actingFor('cli', () => answer(channel, console, stopping))
	})
}

const terminal = z.object({isTTY: z.boolean(), columns: z.number().int().positive().max(10_000).nullable()})
const asked = z.object({
	kind: z.literal('ask'),
	argv: z.array(z.string()).max(mostWords),
	folder: z.string(),
	stdin: terminal,
	stdout: terminal,
	stderr: terminal
})
type Asked = z.infer<typeof asked>

/** Plans and lists have a few megabytes; no larger file is accepted from a command line. */
const mostFile = 64 << 20
const buffered = 1 << 16

async function answer(channel: Channel, console: ConsoleDependencies, stopping: AbortSignal) {
	const first = await channel.messages.next()
	if (first.done === true) return
	const request = asked.parse(first.value)
	const line = createLine(channel, request, console, stopping)
	const listening = line.listen()
	// A session that waits for a message in vain ends with the channel, after the exit code.
	listening.catch(() => {})
	const code = await runCli(request.argv, line.host)
	await channel.send({kind: 'exit', code} satisfies {kind: Kind; code: number})
}

interface Waiting {
	resolve: (content: Buffer) => void
	reject: (error: unknown) => void
	parts: Buffer[]
	size: number
}

function createLine(channel: Channel, request: Asked, console: ConsoleDependencies, stopping: AbortSignal) {
	const [stop, left] = [new AbortController(), new AbortController()]
	const stdin = inputOf(channel, request)
	const stdout = outputTo(channel, 'out', request.stdout)
	const stderr = outputTo(channel, 'err', request.stderr)
	const waiting = new Map<number, Waiting>()
	const host: CliHost = {
		// The cast: these streams have only the parts of a terminal that the command line looks at.
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		stderr: stderr as unknown as NodeJS.WriteStream,
		files: filesOver(channel, waiting),
		environment: {},
		platform: process.platform,
		home: console.ports.profile,
		folder: request.folder,
		operator: console.ports.operator,
		signal: AbortSignal.any([stop.signal, left.signal]),
		left: left.signal,
		// Never aborted: the console awaits the answer to every request it sent.
		cut: new AbortController().signal,
		console
	}
	const end = (how: AbortController, why: string) => {
		how.abort(new CordonError('cancelled', why))
		for (const {reject} of waiting.values()) reject(how.signal.reason)
	}
	const leave = () => end(left, 'Stopped, because the console is stopping.')
	if (stopping.aborted) leave()
	else stopping.addEventListener('abort', leave, {once: true})
	const take = (message: Message) => {
		if (message['kind'] === 'abort') end(stop, 'Cancelled.')
		if (message['kind'] === 'gone') stdout.destroy(new Error('Nobody reads the output.'))
		if (message['kind'] === 'input') stdin.push(Buffer.from(String(message['data']), 'base64'))
		if (message['kind'] === 'inputEnd') stdin.push(null)
		takeFile(waiting, message)
	}
	const listen = async () => {
		try {
			for await (const message of channel.messages) take(message)
		} finally {
			end(left, 'The command line went away.')
			stdin.push(null)
			stdout.destroy(new Error('The command line went away.'))
		}
	}
	return {host, listen}
}

/** Takes only as much as the other end reads. */
function outputTo(channel: Channel, kind: 'out' | 'err', {isTTY, columns}: Asked['stdout']): Writable {
	const send = async (text: string, done: () => void) => {
		for (const part of textParts(text)) await channel.send({kind, text: part})
		done()
	}
	const stream = new Writable({
		decodeStrings: false,
		highWaterMark: buffered,
		write: (chunk, _encoding, done) => void send(String(chunk), done),
		writev: (chunks, done) => void send(chunks.map(({chunk}) => String(chunk)).join(''), done)
	})
	// Writers listen too; nobody writes once the command has ended.
	stream.on('error', () => {})
	return Object.assign(stream, {isTTY, columns: columns ?? undefined})
}

/** Standard input: one piece for each `pull`. */
function inputOf(channel: Channel, {stdin}: Asked): Readable {
	const stream = new Readable({read: () => void channel.send({kind: 'pull'})})
	const setRawMode = (on: boolean) => void channel.send({kind: 'raw', on})
	return Object.assign(stream, {isTTY: stdin.isTTY, setRawMode})
}

/** The console opens no file that a command line names: the command line reads and writes the content. */
function filesOver(channel: Channel, waiting: Map<number, Waiting>): CliFiles {
	let last = 0
	const ask = async (begin: (id: number) => Promise<void>) => {
		last += 1
		const {promise, resolve, reject} = Promise.withResolvers<Buffer>()
		waiting.set(last, {resolve, reject, parts: [], size: 0})
		const id = last
		try {
			await begin(id)
			return await promise
		} finally {
			waiting.delete(id)
		}
	}
	const read = async (what: object) => (await ask(id => channel.send({kind: 'read', id, ...what}))).toString('utf8')
	return {
		read: file => read({file}),
		readOwn: (file, option, most) => read({file, option, most}),
		write: async (file, content, {mode, folder} = {}) => {
			await ask(async id => {
				await channel.send({kind: 'write', id, file, mode, folder})
				await sendContent(channel, id, content)
			})
		}
	}
}

function takeFile(waiting: Map<number, Waiting>, {kind, id, data, message, system, code, field}: Message) {
	const file = waiting.get(Number(id))
	if (file === undefined) return
	if (kind === 'done') return file.resolve(Buffer.concat(file.parts))
	if (kind === 'part') {
		const part = Buffer.from(String(data), 'base64')
		file.size += part.length
		if (file.size > mostFile) return file.reject(usageError('The file has more than 64 MB: part it.'))
		file.parts.push(part)
	}
	if (kind !== 'failed') return
	if (code === 'usage') return file.reject(new CordonError('usage', String(message), typeof field === 'string' ? {field} : {}))
	file.reject(Object.assign(new Error(String(message)), typeof system === 'string' ? {code: system} : {}))
}
