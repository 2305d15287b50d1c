import {createHmac} from 'node:crypto'
import {once} from 'node:events'
import type {IncomingMessage, OutgoingHttpHeaders} from 'node:http'
import {request} from 'node:https'

import {until} from '#base/testing/until.ts'
import {configOf, type InstanceWish} from '../testing/heads.ts'
import {answerOf, type RawRequest} from '../testing/raw-instance.ts'
import {startRunning, type Running} from '../testing/running.ts'
import {get} from '../testing/talk.ts'
import {startTransport} from '../testing/transport.ts'
import {certify} from '../tls/testing/certify.ts'
import type {Fields} from '../message-types.ts'
import type {AccessRule, Credentials} from '../types.ts'
import {valuesOf} from '../headers/lookup.ts'
import {hashPassword, hashToken} from './password.ts'
import {basicField} from './testing/requests.ts'

const password = 'canary-password'
const closing: (() => Promise<void> | void)[] = []
let basic: AccessRule

beforeAll(async () => {
	const verifier = await hashPassword(password, {log2N: 11, r: 8, p: 1})
	basic = {kind: 'basic', realm: 'Lists', users: [{name: 'fw', verifier}]}
})

afterEach(async () => {
	for (const close of closing.splice(0).toReversed()) await close()
})

async function start(wish: Omit<InstanceWish, 'name'>) {
	const running = await startRunning(wish)
	closing.push(running.stop)
	return running
}

interface Asked {
	method?: string
	fields?: Fields
	body?: Buffer
	/** Client certificate of the handshake. */
	client?: Credentials
}

async function ask({place}: Running, {method = 'GET', fields = [], body, client}: Asked = {}) {
	const {port} = place
	const secure = {ca: place.authority ?? '', ...(client === undefined ? {} : {cert: client.certificate, key: client.key})}
	const options = {host: '127.0.0.1', port, path: '/instance/execute/edl/x', method, agent: false, setHost: false}
	// A flat list of names and values in order, which Node accepts but its types do not.
	const headers = ['Host', 'localhost', ...fields] as unknown as OutgoingHttpHeaders
	const sent = request({...options, ...secure, headers})
	sent.end(body)
	// The event carries exactly this.
	const [answer] = (await once(sent, 'response')) as [IncomingMessage]
	const chunks = await answer.toArray()
	return {status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString()}
}

const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status

function seen({origin}: Running, name: string) {
	return valuesOf(origin.requests.at(-1)?.fields ?? [], name)
}

describe('an instance with users', () => {
	it('asks for a password, and tells the instance who came, whatever the client claims', async () => {
		const running = await start({access: basic})
		const without = await ask(running)
		expect(without).toMatchObject({
			status: 401,
			headers: {'www-authenticate': 'Basic realm="Lists", charset="UTF-8"', 'proxy-status': expect.stringMatching(/http_request_denied/)}
		})
		expect(running.origin.requests).toHaveLength(0)
		const fields = ['X-Console-User', 'root', ...basicField('fw', password)]
		expect(await ask(running, {fields})).toMatchObject({status: 200, text: 'ok'})
		expect(seen(running, 'x-console-user')).toEqual(['fw'])
		expect(seen(running, 'authorization')).toEqual([basicField('fw', password)[1]])
	})

	it('keeps the credential to itself when told to', async () => {
		const running = await start({access: basic, stripAuthorization: true})
		expect(await statusOf(running, {fields: basicField('fw', password)})).toBe(200)
		expect(seen(running, 'authorization')).toEqual([])
	})

	it('holds a guesser back, and tells no secret in answers, records or troubles', async () => {
		const running = await start({access: basic})
		const answers = []
		for (let round = 0; round < 6; round += 1) answers.push(await ask(running, {fields: basicField('fw', `canary${round}`)}))
		expect(answers.map(({status}) => status)).toEqual([401, 401, 401, 401, 401, 429])
		expect(answers.at(-1)?.headers['retry-after']).toBe('1')
		expect(running.records.map(({reason}) => reason)).toEqual([...Array<string>(5).fill('access_wrong'), 'access_backed_off'])
		expect(JSON.stringify([answers, running.records, running.troubles])).not.toMatch(/canary|Y2FuYXJ5/)
	})

	it('forgets who was let in when the users change', async () => {
		const running = await start({access: basic})
		const fields = basicField('fw', password)
		expect(await statusOf(running, {fields})).toBe(200)
		const access: AccessRule = {kind: 'basic', realm: 'Lists', users: []}
		running.forwarder.reload(configOf([{name: 'edl', listenPort: running.origin.port, access}]))
		expect(await statusOf(running, {fields})).toBe(401)
	})
})

describe('an instance with a token', () => {
	it('lets in who has it', async () => {
		const token = 'canary-token-0123456789'
		const running = await start({access: {kind: 'bearer', header: 'X-Api-Key', verifiers: [hashToken(token)]}})
		expect(await statusOf(running, {fields: ['x-api-key', token]})).toBe(200)
		expect(await statusOf(running, {fields: ['x-api-key', `${token}0`]})).toBe(401)
		expect(JSON.stringify(running.records)).not.toContain('canary')
	})
})

describe('an instance with signed bodies', () => {
	const key = 'canary-key'
	const body = Buffer.concat([Buffer.from('payload=\r\n\0'), Buffer.from([0xff, 0xfe, 0x80])])

	function slackFields(signed: Buffer): Fields {
		const time = String(Math.floor(Date.now() / 1000))
		const signature = createHmac('sha256', key).update(`v0:${time}:`).update(signed).digest('hex')
		return ['X-Slack-Request-Timestamp', time, 'X-Slack-Signature', `v0=${signature}`]
	}

	const slack = () => start({access: {kind: 'hmac', preset: 'slack', toleranceS: 300, key}})

	it.each([
		['with its length', ['Content-Length', String(body.length)]],
		['in chunks', ['Transfer-Encoding', 'chunked']]
	])('gets a body %s byte for byte, once', async (_what, framing) => {
		const running = await slack()
		const fields = [...framing, ...slackFields(body)]
		expect(await statusOf(running, {method: 'POST', fields, body})).toBe(200)
		expect(running.origin.requests[0]?.body).toBe(body.toString('latin1'))
		expect(await statusOf(running, {method: 'POST', fields, body})).toBe(401)
		expect(running.origin.requests).toHaveLength(1)
	})

	it('never sees one that was changed, or is too large to be checked', async () => {
		const running = await slack()
		const other = Buffer.from('something else')
		const forged = ['Content-Length', String(other.length), ...slackFields(body)]
		expect(await statusOf(running, {method: 'POST', fields: forged, body: other})).toBe(401)
		const large = ['Content-Length', '1048577', ...slackFields(body)]
		expect(await statusOf(running, {method: 'POST', fields: large})).toBe(413)
		expect(running.origin.requests).toHaveLength(0)
	})
})

describe('an instance with client certificates', () => {
	it('lets in who shows one of its authority, and tells the instance whose', async () => {
		const authority = await certify('Clients', {authority: true})
		const access: AccessRule = {kind: 'certificate', authorities: authority.certificate, names: ['fw-1']}
		const running = await start({access})
		const show = async (name: string, issuer = authority) => {
			const client = await certify(name, {issuer})
			return statusOf(running, {client, fields: ['X-Client-Cert-Subject', 'CN=root']})
		}
		expect(await show('fw-1')).toBe(200)
		expect(seen(running, 'x-client-cert-subject')).toEqual(['CN=fw-1'])
		expect(await statusOf(running)).toBe(403)
		expect(await show('fw-2')).toBe(403)
		expect(await show('fw-1', await certify('Clients', {authority: true}))).toBe(403)
		expect(running.origin.requests).toHaveLength(1)
	})
})

describe('an instance with limits', () => {
	it('is reached from its networks only', async () => {
		const running = await start({allow: ['192.0.2.0/24']})
		expect(await statusOf(running)).toBe(403)
		const allowed = await start({allow: ['192.0.2.0/24', '127.0.0.0/8']})
		expect(await statusOf(allowed)).toBe(200)
	})

	it('is called no faster than its rate', async () => {
		const running = await start({limits: {ratePerSecond: 0.01, burst: 2}})
		const statuses = []
		for (let round = 0; round < 3; round += 1) statuses.push(await statusOf(running))
		expect(statuses).toEqual([200, 200, 429])
	})

	it('works on so many requests at once; the next wait in order, also behind one whose client left', async () => {
		const held: RawRequest[] = []
		const wish = {instance: {limits: {concurrency: 1, queue: 2}}}
		const {talk, records} = await startTransport(asked => void held.push(asked), wish)
		const [first, second, third, fourth] = [await talk(), await talk(), await talk(), await talk()]
		first.send(get('/1'))
		await until('the next', () => held.length === 1)
		second.send(get('/2'))
		third.send(get('/3'))
		// Both wait: a further one is refused.
		fourth.send(get('/4'))
		await Promise.race([fourth.until(/429/), second.until(/429/), third.until(/429/)]).catch(() => {})
		expect(records.map(({status, reason}) => [status, reason])).toEqual([[429, 'queue_full']])
		const waiting = [second, third, fourth].filter(({text}) => text === '')
		expect(waiting).toHaveLength(2)
		waiting[0]?.socket.destroy()
		await until('the next', () => records.length === 2)
		held[0]?.socket.write(answerOf('one'))
		await first.until(/one$/)
		await until('the next', () => held.length === 2)
		held[1]?.socket.write(answerOf('two'))
		await waiting[1]?.until(/two$/)
		expect(records.map(({endedBy}) => endedBy)).toEqual(['cordon', 'client', 'done', 'done'])
	})
})
