/** nginx and HAProxy as real processes with an exported configuration, and clients that send exact bytes. */
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage} from 'node:http'
import {connect as connectPlain} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {connect} from 'node:tls'

import {freePort, openPort} from '#base/testing/port.ts'
import {startForwarder} from '../../server.ts'
import {testCredentials, type TestCredentials} from '../../tls/testing/credentials.ts'
import type {Credentials} from '../../types.ts'
import {acceptOf} from '../../upgrade.ts'
import {haproxyConfig} from '../haproxy.ts'
import {nginxConfig} from '../nginx.ts'
import type {ExportInput} from '../types.ts'

export type EngineName = 'nginx' | 'haproxy'

export interface Engine {
	port: number
	folder: string
	authority: string
	stop(): Promise<void>
}

export function isInstalled(name: EngineName) {
	return spawnSync(programOf(name), ['-v']).error === undefined
}

/** Debian's path, which is not in everybody's PATH. */
function programOf(name: EngineName) {
	const place = `/usr/sbin/${name}`
	return existsSync(place) ? place : name
}

/** Everything except the engine's own paths on this computer. */
export type Part = Omit<ExportInput, 'listen' | 'certificate' | 'folder'>

export async function startEngine(name: EngineName, part: Part): Promise<Engine> {
	const port = await freePort()
	const {folder, credentials} = await makeFolder()
	const configuration = writeConfiguration(name, part, folder, port)
	const [program, ...argv] =
		name === 'nginx'
			? [programOf(name), '-p', folder, '-c', configuration, '-g', 'daemon off; master_process off;']
			: [programOf(name), '-db', '-f', configuration]
	const child = spawn(program ?? name, argv, {stdio: ['ignore', 'ignore', 'pipe']})
	let complaints = ''
	child.stderr.on('data', (chunk: Buffer) => void (complaints += chunk.toString()))
	const ended = once(child, 'exit')
	await listening(port, () => (child.exitCode === null ? null : complaints))
	return {
		port,
		folder,
		authority: credentials.authority,
		stop: async () => {
			child.kill('SIGTERM')
			await ended
			rmSync(folder, {recursive: true, force: true})
		}
	}
}

/** The own server with the same configuration: the reference for the engines. */
export async function startOwn({config}: Part): Promise<Engine> {
	const {certificate, key, authority} = await (credentialsOnce ??= testCredentials(['gateway.example']))
	const server = await startForwarder({
		listen: {host: '127.0.0.1', port: 0},
		config: {...config, strictTransportSecurity: false},
		credentials: {certificate, key}
	})
	return {port: server.listen.port, folder: '', authority, stop: () => server.stop(0)}
}

/** The engine's own check of a configuration; empty when accepted. */
export async function complaintsOf(name: EngineName, part: Part) {
	const {folder} = await makeFolder()
	try {
		const configuration = writeConfiguration(name, part, folder, 8443)
		const argv = name === 'nginx' ? ['-t', '-q', '-p', folder, '-c', configuration] : ['-c', '-q', '-f', configuration]
		const {status, stderr, stdout} = spawnSync(programOf(name), argv, {encoding: 'utf8'})
		return status === 0 ? '' : `${stderr}${stdout}`
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
}

let credentialsOnce: Promise<TestCredentials> | undefined

async function makeFolder() {
	const credentials = await (credentialsOnce ??= testCredentials(['gateway.example']))
	const folder = mkdtempSync(join(tmpdir(), 'cordon-engine-'))
	writeFileSync(join(folder, 'server.key'), credentials.key, {mode: 0o600})
	writeFileSync(join(folder, 'server.pem'), credentials.certificate)
	writeFileSync(join(folder, 'both.pem'), credentials.certificate + credentials.key, {mode: 0o600})
	return {folder, credentials}
}

function writeConfiguration(name: EngineName, part: Part, folder: string, port: number) {
	const input: ExportInput = {
		...part,
		listen: {host: '127.0.0.1', port},
		folder,
		certificate: {certificateFile: join(folder, name === 'nginx' ? 'server.pem' : 'both.pem'), keyFile: join(folder, 'server.key')}
	}
	const {text, files} = (name === 'nginx' ? nginxConfig : haproxyConfig)(input)
	for (const file of files) writeFileSync(join(folder, file.name), file.content)
	const path = join(folder, 'engine.conf')
	writeFileSync(path, name === 'nginx' ? aroundNginx(text, folder) : text)
	return path
}

function aroundNginx(text: string, folder: string) {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`)
	return `pid ${folder}/nginx.pid;\nerror_log stderr emerg;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${text}\n}\n`
}

async function listening(port: number, failed: () => string | null) {
	for (;;) {
		const complaints = failed()
		if (complaints !== null) throw new Error(`The engine did not start: ${complaints}`)
		const socket = connectPlain(port, '127.0.0.1')
		const open = await new Promise<boolean>(resolve => {
			socket.once('connect', () => resolve(true))
			socket.once('error', () => resolve(false))
		})
		socket.destroy()
		if (open) return
		await new Promise(resolve => setTimeout(resolve, 20))
	}
}

/** A request received by an instance. */
interface Seen {
	method: string
	url: string
	/** By lower-case name; values of equal names joined. */
	fields: Readonly<Record<string, string>>
	body: string
}

export type Origin = Awaited<ReturnType<typeof startOrigin>>

/** An instance that records what it receives; a WebSocket echoes its bytes. */
export async function startOrigin(fields: (url: string) => Readonly<Record<string, string | string[]>> = () => ({})) {
	const seen: Seen[] = []
	const server = createServer((request, response) => {
		void text(request).then(body => {
			seen.push(seenOf(request, body))
			for (const [name, value] of Object.entries(fields(request.url ?? ''))) response.setHeader(name, value)
			response.end('from the instance')
		})
	})
	server.on('upgrade', (request, socket, head: Buffer) => {
		seen.push(seenOf(request, ''))
		const accept = acceptOf(`${request.headers['sec-websocket-key']}`)
		socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
		socket.write(head)
		socket.pipe(socket)
	})
	const port = await openPort(server)
	return {
		port,
		seen,
		stop: async () => {
			server.closeAllConnections()
			server.close()
			await once(server, 'close')
		}
	}
}

function seenOf({method = '', url = '', rawHeaders}: IncomingMessage, body: string) {
	const fields: Record<string, string> = {}
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = (rawHeaders[index] ?? '').toLowerCase()
		fields[name] = name in fields ? `${fields[name]}, ${rawHeaders[index + 1]}` : (rawHeaders[index + 1] ?? '')
	}
	return {method, url, fields, body}
}

export interface Answer {
	status: number
	head: string
	body: string
}

/** Sends a request of exactly these bytes on a new connection. */
export async function ask(engine: Engine, lines: readonly string[], body = '', client?: Credentials): Promise<Answer> {
	const socket = await open(engine, client)
	socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
	let text = ''
	for await (const chunk of socket) text += (chunk as Buffer).toString('latin1') // a socket without encoding gives buffers
	const end = text.indexOf('\r\n\r\n')
	return {status: Number(text.slice(9, 12)), head: text.slice(0, end), body: text.slice(end + 4)}
}

export async function open(engine: Engine, client?: Credentials) {
	const socket = connect({
		port: engine.port,
		host: '127.0.0.1',
		servername: 'localhost',
		ca: engine.authority,
		...(client !== undefined && {cert: client.certificate, key: client.key}),
		ALPNProtocols: ['http/1.1']
	})
	await once(socket, 'secureConnect')
	return socket
}
