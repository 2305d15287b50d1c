import {generateKeyPairSync, sign} from 'node:crypto'
import {get} from 'node:https'

import {startSandbox, type Sandbox} from './server.ts'
import {basic} from './testing/running.ts'

/** One element of DER (X.690): tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]) {
	const content = Buffer.concat(parts)
	const long = content.length > 255 ? [0x82, content.length >> 8, content.length & 255] : [0x81, content.length]
	return Buffer.concat([Buffer.from([tag, ...(content.length > 127 ? long : [content.length])]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => der(0x02, Buffer.from([value]))
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)
const time = (text: string) => der(0x18, Buffer.from(text))

/** A self-signed certificate for 127.0.0.1; this layer has no package that makes one. */
function certificate() {
	const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
	const algorithm = sequence(identifier('2a8648ce3d040302')) // ecdsa-with-SHA256
	const name = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from('127.0.0.1')))))
	const address = der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))
	const extensions = der(0xa3, sequence(sequence(identifier('551d11'), address)))
	const validity = sequence(time('20200101000000Z'), time('20990101000000Z'))
	const key = publicKey.export({type: 'spki', format: 'der'})
	const body = sequence(der(0xa0, integer(2)), integer(7), algorithm, name, validity, name, key, extensions)
	const whole = sequence(body, algorithm, bits(sign('sha256', body, privateKey)))
	const pem = `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
	return {cert: pem, key: privateKey.export({type: 'pkcs8', format: 'pem'}).toString()}
}

function ask(sandbox: Sandbox, ca: string, path: string): Promise<{status: number; text: string}> {
	const headers = {authorization: basic(sandbox.clientId, sandbox.apiKey)}
	return new Promise((resolve, reject) => {
		const request = get(`${sandbox.url}${path}`, {ca, headers, agent: false}, response => {
			let text = ''
			response.on('data', chunk => void (text += String(chunk)))
			response.on('end', () => resolve({status: response.statusCode ?? 0, text})).on('error', reject)
		})
		request.on('error', reject)
	})
}

test('speaks HTTPS with the certificate given, and its links say so', async () => {
	const tls = certificate()
	const sandbox = await startSandbox({port: 0, computers: 20, tls})
	const {status, text} = await ask(sandbox, tls.cert, '/v1/version')
	expect(status).toBe(200)
	expect(text).toContain(`"self":"https://127.0.0.1:`)
	sandbox.weather.set(['GET /v1/version=reset', 'GET /v1/groups=drop'])
	await expect(ask(sandbox, tls.cert, '/v1/version')).rejects.toThrow()
	await expect(ask(sandbox, tls.cert, '/v1/groups')).rejects.toThrow()
	sandbox.weather.clear()
	expect((await ask(sandbox, tls.cert, '/v1/groups')).status).toBe(200)
	await sandbox.stop()
})
