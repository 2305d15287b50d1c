import {omitUndefined} from '#shared/omit-undefined.ts'
import {execFile, spawn, spawnSync} from 'node:child_process'
import {X509Certificate} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:https'
import {join} from 'node:path'
import {connect, type ConnectionOptions, createServer as createTlsServer, type Server, type TLSSocket} from 'node:tls'
import {promisify} from 'node:util'

import {openPort} from '#base/testing/port.ts'
import {testFolder} from '#base/testing/folder.ts'
import type {Credentials} from '../types.ts'
import {clientCertificateOf} from './client-certificate.ts'
import {tlsOptions} from './options.ts'
import {certify} from './testing/certify.ts'
import {testCredentials, type TestCredentials} from './testing/credentials.ts'

const run = promisify(execFile)
const has = (program: string, flag: string) => spawnSync(program, [flag]).status === 0
let credentials: TestCredentials

beforeAll(async () => {
	credentials = await testCredentials(['desk'])
})

async function listen(server: Server) {
	onTestFinished(() => void server.close())
	return await openPort(server)
}

function serve(options = tlsOptions(credentials), onSocket?: (socket: TLSSocket) => void) {
	const server = createTlsServer(options, socket => {
		socket.on('error', () => {})
		onSocket?.(socket)
		socket.end('hello')
	})
	return listen(server).then(port => ({server, port}))
}

/** The result of the handshake, or the alert. */
async function handshake(port: number, options: ConnectionOptions = {}) {
	const socket = connect({port, host: '127.0.0.1', servername: 'desk', ca: credentials.authority, ...options})
	onTestFinished(() => void socket.destroy())
	await new Promise<void>((resolve, reject) => {
		socket.once('secureConnect', resolve)
		socket.once('error', reject)
	})
	return {socket, protocol: socket.getProtocol(), cipher: socket.getCipher(), alpn: socket.alpnProtocol}
}

describe('the front', () => {
	it('speaks TLS 1.3 and 1.2 with forward secrecy and authenticated encryption', async () => {
		const {port} = await serve()
		expect(await handshake(port)).toMatchObject({protocol: 'TLSv1.3', cipher: {name: 'TLS_AES_128_GCM_SHA256'}})
		expect(await handshake(port, {maxVersion: 'TLSv1.2'})).toMatchObject({protocol: 'TLSv1.2', cipher: {name: 'ECDHE-ECDSA-AES128-GCM-SHA256'}})
	})

	it.each<[string, ConnectionOptions]>([
		['TLS 1.1', {minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0'}],
		['CBC', {maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA'}],
		['keys without forward secrecy', {maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256'}],
		['other curves', {ecdhCurve: 'secp521r1'}]
	])('refuses %s', async (_what, options) => {
		const {port} = await serve()
		await expect(handshake(port, options)).rejects.toThrow(/alert|ssl/i)
	})

	it('agrees on X25519 and P-256 for those who have nothing newer', async () => {
		const {port} = await serve()
		for (const ecdhCurve of ['X25519', 'prime256v1']) {
			expect(await handshake(port, {ecdhCurve}), ecdhCurve).toMatchObject({protocol: 'TLSv1.3'})
		}
	})

	it('prefers HTTP/2 unless told otherwise, and its own order of ciphers', async () => {
		const {port} = await serve()
		expect(await handshake(port, {ALPNProtocols: ['http/1.1', 'h2']})).toMatchObject({alpn: 'h2'})
		expect(await handshake(port, {ALPNProtocols: ['http/1.0']})).toMatchObject({alpn: 'http/1.0'})
		const ciphers = 'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256'
		const chosen = await handshake(port, {maxVersion: 'TLSv1.2', ciphers})
		expect(chosen.cipher.name).toBe('ECDHE-ECDSA-AES128-GCM-SHA256')
		const plain = await serve(tlsOptions(credentials, {protocols: ['http/1.1']}))
		expect(await handshake(plain.port, {ALPNProtocols: ['h2', 'http/1.1']})).toMatchObject({alpn: 'http/1.1'})
	})

	it('swaps its certificate for new connections, while those that are open stay', async () => {
		const {server, port} = await serve(tlsOptions(credentials), socket => socket.cork())
		const before = await handshake(port)
		const other = await testCredentials(['desk'])
		server.setSecureContext(tlsOptions(other))
		await expect(handshake(port)).rejects.toThrow(/unable to verify|self.signed/)
		expect(await handshake(port, {ca: other.authority})).toMatchObject({protocol: 'TLSv1.3'})
		expect(before.socket.destroyed).toBe(false)
	})

	it('resumes sessions', async () => {
		const {port} = await serve()
		const first = await handshake(port)
		const session = await new Promise<Buffer>(resolve => {
			first.socket.once('session', resolve)
			first.socket.resume()
		})
		const second = await handshake(port, {session})
		expect(second.socket.isSessionReused()).toBe(true)
	})
})

describe('client certificates', () => {
	let authority: Credentials
	let between: Credentials
	let client: Credentials

	beforeAll(async () => {
		authority = await certify('Clients', {authority: true})
		between = await certify('Clients, second', {authority: true, issuer: authority})
		client = await certify('fw-1', {issuer: between})
	})

	async function asking(clientAuthorities = [authority.certificate]) {
		const seen: ReturnType<typeof clientCertificateOf>[] = []
		const options = tlsOptions(credentials, {clientAuthorities})
		const {port} = await serve(options, socket => seen.push(clientCertificateOf(socket)))
		const once = async (more: ConnectionOptions = {}) => {
			const {socket} = await handshake(port, more)
			const sessions: Buffer[] = []
			socket.on('session', session => sessions.push(session)).resume()
			await new Promise(resolve => socket.once('end', resolve))
			return {socket, sessions}
		}
		return {seen, once}
	}

	const shown = () => ({cert: client.certificate + between.certificate, key: client.key})

	it('are not asked for unless an instance wants them', async () => {
		const {seen, once} = await asking([])
		await once(shown())
		expect(seen).toEqual([null])
	})

	it('pass on the first certificate shown; a client may send none', async () => {
		const {seen, once} = await asking()
		await once(shown())
		await once()
		expect(seen[0]?.commonName).toBe('fw-1')
		expect(seen[0]?.chain[0]).toEqual(new X509Certificate(client.certificate).raw)
		expect(seen[1]).toBeNull()
	})

	it.each(['TLSv1.2', 'TLSv1.3'] as const)('are told in full on every connection, also after an earlier one (%s)', async maxVersion => {
		const {seen, once} = await asking()
		const {sessions} = await once({...shown(), maxVersion})
		const [session] = sessions
		await once({...shown(), maxVersion, ...omitUndefined({session})})
		expect(seen).toHaveLength(2)
		expect(seen[1]).toEqual(seen[0])
	})
})

describe.skipIf(!has('curl', '--version'))('curl', () => {
	it('trusts the server by its authority alone, for its own names', async () => {
		const server = createServer(tlsOptions(credentials, {protocols: ['http/1.1']}), (_request, response) => response.end('hello'))
		const port = await listen(server)
		const folder = testFolder()
		const ca = join(folder, 'ca.pem')
		writeFileSync(ca, credentials.authority)
		const curl = (host: string, more: string[] = []) => {
			const to = ['--connect-to', `::127.0.0.1:${port}`, `https://${host}:${port}/`]
			return run('curl', ['-sS', '-q', '--noproxy', '*', ...more, ...to]).then(({stdout}) => stdout)
		}
		for (const host of ['desk', 'localhost', '127.0.0.1', '[::1]']) {
			expect(await curl(host, ['--cacert', ca]), host).toBe('hello')
		}
		await expect(curl('other', ['--cacert', ca])).rejects.toThrow(/no alternative certificate subject name/)
		await expect(curl('desk')).rejects.toThrow(/certificate/)
		server.closeAllConnections()
	})
})

describe.skipIf(!has('openssl', 'version'))('a client that asks to renegotiate', () => {
	it('is refused', async () => {
		const server = createTlsServer(tlsOptions(credentials), socket => socket.on('error', () => {}).resume())
		const port = await listen(server)
		const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-tls1_2', '-quiet', '-no_ign_eof'])
		onTestFinished(() => void client.kill())
		const said = await new Promise<string>(resolve => {
			let text = ''
			client.stderr.on('data', (chunk: Buffer) => {
				text += String(chunk)
				if (text.includes('verify return')) client.stdin.write('R\n')
			})
			client.once('close', () => resolve(text))
		})
		expect(said).toMatch(/no renegotiation/)
	})
})
