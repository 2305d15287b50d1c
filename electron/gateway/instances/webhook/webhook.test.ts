/** Requests as documented by the products, with their signatures. */
import {createHmac} from 'node:crypto'

import {CordonError} from '#contract/errors.ts'
import {webhookServiceSchema} from '#model/instance.ts'

import {testFolder} from '#base/testing/folder.ts'
import type {Desk} from '#core/app/gateway.ts'
import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import {until} from '#base/testing/until.ts'
import {startWebhookService, type RunningWebhook} from './service.ts'

/** The example in Slack's documentation on verifying requests. */
const slackKey = '8f742231b10e8888abcd99yyyzzz85a5'
const teamsKey = Buffer.from('a key of Microsoft Teams').toString('base64')
const plainKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const keys = {slack: slackKey, teams: teamsKey, standard: plainKey}
const hash = 'a'.repeat(64)

let folder: string
let clock: TestClock
let running: RunningWebhook
let asked: string[]
let slow: Promise<void> | undefined
let failing: CordonError | undefined
let posted: string[]
beforeEach(() => {
	folder = testFolder()
	clock = testClock()
	asked = []
	posted = []
	slow = undefined
	failing = undefined
})
afterEach(() => running.stop())

const desk: Desk = {
	note: async ({from}, text) => {
		if (failing !== undefined) throw failing
		asked.push(`note ${from}: ${text}`)
		return 'Noted.'
	},
	whoHas: async (_caller, wanted) => {
		await slow
		asked.push(`who ${wanted}`)
		return 'Events name it on 2 computers.'
	},
	proposeIsolation: async ({from}, computer) => (asked.push(`isolate ${computer} ${from}`), 'Proposed.'),
	startPlaybook: async ({message}, playbook, variables) => (asked.push(`${playbook} ${JSON.stringify(variables)}${message ?? ''}`), 'Started.')
}

async function open(preset: keyof typeof keys, more: object = {}) {
	running = await startWebhookService({
		definition: webhookServiceSchema.parse({service: 'webhook', connection: 'lab', proposals: true, playbooks: ['triage'], ...more}),
		access: {kind: 'hmac', preset, toleranceS: 3600},
		...{signingKey: async () => keys[preset], instance: {id: 'w', name: 'chat'}, folder, host: '127.0.0.1', port: 0, clock, desk},
		onTrouble: () => {},
		post: (url, body) => void posted.push(`${url.href} ${body}`)
	})
}

async function post(body: string, headers: Readonly<Record<string, string>>) {
	const response = await fetch(`http://127.0.0.1:${running.port}/`, {method: 'POST', body, headers})
	// Answers are JSON objects of texts.
	return {status: response.status, body: (await response.json()) as Readonly<Record<string, string>>}
}

/** The desk answers once this is called. */
function holdDesk() {
	const {promise, resolve} = Promise.withResolvers<void>()
	slow = promise
	return resolve
}

const seconds = () => Math.floor(clock.now() / 1000)

async function works() {
	await until('it to wait', () => clock.pending().length > 0)
}

async function passes(ms: number) {
	await works()
	await clock.advance(ms)
}

/** A slash command as documented by Slack. */
const slash = (text: string, url = 'https://hooks.slack.com/commands/1234/5678') =>
	new URLSearchParams({
		...{token: 'gIkuvaNzQIHg97ATvDxqgjtO', team_id: 'T0001', team_domain: 'example', enterprise_id: 'E0001'},
		...{channel_id: 'C2147483705', channel_name: 'test', user_id: 'U2147483697', user_name: 'Steve'},
		...{command: '/cordon', text, response_url: url, trigger_id: '13345224609.738474920.8088930838d88f008e0', api_app_id: 'A123456'}
	}).toString()

function slackHeaders(body: string, at = seconds(), key = slackKey): Readonly<Record<string, string>> {
	const signature = createHmac('sha256', key).update(`v0:${at}:${body}`).digest('hex')
	const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
	return {'content-type': type, 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${signature}`}
}

describe('Slack', () => {
	const say = (text: string) => post(slash(text), slackHeaders(slash(text)))

	test('asks who has a hash, proposes an isolation, notes, and starts a playbook that is allowed', async () => {
		await open('slack')
		expect(await say(`who ${hash}`)).toEqual({status: 200, body: {response_type: 'ephemeral', text: 'Events name it on 2 computers.'}})
		await say('isolate WS-1')
		await say('note seen at the door')
		await say('playbook triage computer=WS-1')
		expect((await say('playbook wipe')).body['text']).toBe('This webhook does not take the playbook wipe.')
		expect((await say('hello')).body['text']).toContain('who HASH')
		expect(asked).toEqual([
			...[`who ${hash}`, 'isolate WS-1 Steve by chat', 'note Steve by chat: seen at the door'],
			'triage {"computer":"WS-1"}'
		])
	})

	test('refuses wrong, old and repeated signatures, also over a restart', async () => {
		await open('slack')
		const body = slash('note x')
		const late = [-301, 301].map(apart => slackHeaders(body, seconds() + apart))
		for (const headers of [slackHeaders(body, seconds(), 'another'), slackHeaders(`${body}x`), ...late, {}])
			expect(await post(body, headers)).toMatchObject({status: 401})
		const good = slackHeaders(body)
		expect(await post(body, good)).toMatchObject({status: 200})
		expect(await post(body, good)).toMatchObject({status: 401, body: {text: expect.stringContaining('before')}})
		await running.stop()
		await open('slack')
		expect(await post(body, good)).toMatchObject({status: 401})
		expect(asked).toHaveLength(1)
	})

	test('links, names and entities are what was typed, and an answer holds none', async () => {
		await open('slack')
		const typed = 'note <https://ws-1.example|ws-1.example> of <@U012|ann> &lt;R&amp;D&gt; &amp;lt; <https://a.example/?b&amp;c>'
		await say(typed)
		failing = new CordonError('usage', 'No <https://evil.example|WS-1> & others.')
		expect((await say(`${typed}!`)).body['text']).toBe('No &lt;https://evil.example|WS-1&gt; &amp; others.')
		expect(asked).toEqual(['note Steve by chat: ws-1.example of ann <R&D> &lt; https://a.example/?b&c'])
	})

	test('checks of the address are answered as it asks', async () => {
		await open('slack')
		const body = '{"token":"Jhj5dZrVaK7ZwHHjRyZWjbDl","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY","type":"url_verification"}'
		expect((await post(body, slackHeaders(body))).body).toEqual({challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY'})
		expect(await post('ssl_check=1&token=x', slackHeaders('ssl_check=1&token=x'))).toEqual({status: 200, body: {}})
	})

	test.each([
		['https://hooks.slack.com/commands/1', 1],
		['https://hooks.slack.com.evil.example/commands/1', 0],
		['http://hooks.slack.com/commands/1', 0],
		['https://127.0.0.1/', 0]
	])('a late answer to %s goes out %d times, else into the log', async (url, times) => {
		await open('slack')
		const release = holdDesk()
		const body = slash(`who ${hash}`, url)
		const answered = post(body, slackHeaders(body))
		await passes(2500)
		expect((await answered).body['text']).toContain('takes longer')
		release()
		await new Promise(setImmediate)
		expect(posted).toHaveLength(times)
		const noted = 'note Steve by chat: The answer came too late: Events name it on 2 computers.'
		expect(asked.slice(1)).toEqual(times === 1 ? [] : [noted])
	})
})

describe('Microsoft Teams', () => {
	/** An outgoing webhook as documented by Microsoft. */
	const activity = (text: string, at = clock.now()) =>
		JSON.stringify({
			...{type: 'message', id: '1485983408511', timestamp: new Date(at).toISOString(), channelId: 'msteams'},
			from: {id: '29:1XJKJMvc5GBtc2JwZq0oj8tHZmzrQgFmB39ATiQWA85gQtHieVkKilBZ9XHoq9j7Zaqt7CZ-NJWi7me2kHTL3Bw', name: 'Tim Jones'},
			text
		})
	const send = (body: string, signed = body) => {
		const signature = createHmac('sha256', Buffer.from(teamsKey, 'base64')).update(signed).digest('base64')
		return post(body, {'content-type': 'application/json; charset=utf-8', authorization: `HMAC ${signature}`})
	}

	test('asks by its name in a tag, and old requests are refused', async () => {
		await open('teams')
		const body = activity(`<at>Cordon</at>&nbsp;who ${hash}\n`)
		expect(await send(body)).toEqual({status: 200, body: {type: 'message', text: 'Events name it on 2 computers.'}})
		expect(await send(body)).toMatchObject({status: 401})
		const entities = activity('<p><at>Cordon</at>&nbsp;isolate&#32;R&amp;D&#x2D;&quot;1&quot;&amp;lt;&unknown;</p>')
		await send(entities)
		expect(asked.splice(1)).toEqual(['isolate R&D-"1"&lt;&unknown; Tim Jones by chat'])
		const old = activity('<at>Cordon</at> isolate WS-1', clock.now() - 301_000)
		expect(await send(old)).toMatchObject({status: 401})
		const wrong = activity('<at>Cordon</at> isolate WS-1')
		expect(await send(wrong, `${wrong} `)).toMatchObject({status: 401})
		expect(asked).toEqual([`who ${hash}`])
	})
})

describe('any other sender', () => {
	const signed = (body: string, id: string, at = seconds()) => {
		const key = Buffer.from(plainKey.slice(6), 'base64')
		const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
		return {'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}`}
	}

	test('signs as Standard Webhooks say', async () => {
		await open('standard', {proposals: false})
		const send = (body: string, id: string) => post(body, signed(body, id))
		expect(await send('{"text":"hello"}', 'msg_1')).toEqual({status: 200, body: {text: 'Noted.'}})
		expect(await send('{"text":"hello"}', 'msg_2')).toMatchObject({status: 200})
		expect(await send('{"text":"hello"}', 'msg_2')).toMatchObject({status: 401})
		expect((await send('{"isolate":"WS-1"}', 'msg_3')).body['text']).toBe('This webhook does not take proposals.')
		await send('{"alert":7}', 'msg_4')
		await send('{"playbook":"triage","variables":{"n":1}}', 'msg_5')
		expect(await send('[1]', 'msg_6')).toMatchObject({status: 400})
		expect(asked.slice(2)).toEqual(['note webhook by chat: {"alert":7}', 'triage {"n":"1"}webhook w id msg_5'])
	})

	test('gets no 200 before the end, and each try of a message has the same one', async () => {
		await open('standard')
		const release = holdDesk()
		const body = JSON.stringify({hash})
		const send = (apart: number) => post(body, signed(body, 'msg_1', seconds() + apart))
		const first = send(0)
		await passes(14_000)
		expect(await first).toMatchObject({status: 503})
		const second = send(1)
		await works()
		release()
		expect(await second).toEqual({status: 200, body: {text: 'Events name it on 2 computers.'}})
		expect(asked).toEqual([`who ${hash}`])
	})

	test('is told that its body is too large', async () => {
		await open('standard')
		expect(await post('x'.repeat(262_145), {})).toMatchObject({status: 413})
		expect(await post('x'.repeat(262_144), {})).toMatchObject({status: 401})
	})

	test('has a long text noted with what is missing', async () => {
		await open('standard')
		for (const body of [{text: 'x'.repeat(4001)}, {a: 'x'.repeat(4000)}])
			await post(JSON.stringify(body), signed(JSON.stringify(body), JSON.stringify(body).slice(0, 5)))
		expect(asked.map(text => text.replace(/^.*?x+/, ''))).toEqual(['… (1 more characters)', '… (8 more characters)'])
	})

	test('that repeats a message later is told that it was taken, or to try again when it was not', async () => {
		await open('standard')
		const send = async (id: string) => {
			await clock.advance(1000)
			return post('{"text":"hello"}', signed('{"text":"hello"}', id))
		}
		failing = new CordonError('log_unavailable')
		expect(await send('msg_1')).toMatchObject({status: 503, body: {text: failing.message}})
		failing = new CordonError('unknown_connection')
		expect(await send('msg_2')).toMatchObject({status: 200, body: {text: failing.message}})
		failing = undefined
		expect(await send('msg_1')).toEqual({status: 200, body: {text: 'Noted.'}})
		for (const seconds of [1, 7 * 86_400 - 10]) {
			await clock.advance(seconds * 1000)
			expect(await send('msg_1')).toEqual({status: 200, body: {text: 'This message was taken before.'}})
		}
		expect(asked).toHaveLength(1)
	})
})
