import {once} from 'node:events'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {request as httpsRequest} from 'node:https'

import {testCredentials} from '../tls/testing/credentials.ts'
import {responseTo, startInstance, startScene, type Answer, type RunningInstance, type Scene} from './testing/scene.ts'

let instance: RunningInstance
let scene: Scene
/** Answers held by the test. */
let waiting: ServerResponse[] = []

function handle(request: IncomingMessage, response: ServerResponse) {
	if ((request.url ?? '').startsWith('/wait')) waiting.push(response)
	else response.end(`here is ${request.url ?? ''}`)
}

beforeEach(async () => {
	waiting = []
	instance = await startInstance(handle)
	scene = await startScene([{name: 'edl', listenPort: instance.port}])
})

afterEach(async () => {
	scene.mustBeCalm()
	await scene.close()
	await instance.stop()
})

/** 50 requests over HTTP/1.1 and 50 over HTTP/2 that have arrived at the instance. */
async function hundredRunning() {
	const running = scene.many('edl/wait', 100)
	await expect.poll(() => waiting.length).toBe(100)
	return running
}

function release() {
	for (const response of waiting.splice(0)) response.end('done')
}

/** They end as they began. */
async function releaseAll(running: readonly Promise<string>[]) {
	release()
	expect(new Set(await Promise.all(running))).toEqual(new Set(['200 done']))
}

describe('a change takes effect for new requests at once, and running ones end as they began', () => {
	test('exposure', async () => {
		const running = await hundredRunning()
		scene.reload(undefined, {parameters: {'instance.execute.external': 'true', 'instance.execute.external.edl': 'false'}})
		const after = await Promise.all(Array.from({length: 20}, () => scene.get('edl/')))
		expect(new Set(after.map(({status}) => status))).toEqual(new Set([404]))
		await releaseAll(running)
		scene.reload()
		expect((await scene.get('edl/')).status).toBe(200)
	})

	test('the port', async () => {
		const running = await hundredRunning()
		const other = await startInstance((_request, response) => void response.end('the other one'))
		scene.reload([{name: 'edl', listenPort: other.port}])
		expect((await scene.get('edl/')).body).toBe('the other one')
		await releaseAll(running)
		expect((await scene.get('edl/')).body).toBe('the other one')
		await other.stop()
	})

	test('the name; the older one goes on working, and the log says so', async () => {
		const running = await hundredRunning()
		scene.reload([{name: 'lists', aliases: ['edl'], listenPort: instance.port}])
		expect((await scene.get('lists/a')).body).toBe('here is /a')
		expect((await scene.get('edl/b')).body).toBe('here is /b')
		await expect.poll(() => scene.records.find(record => record.path.endsWith('/edl/b'))).toMatchObject({instance: 'lists', alias: 'edl'})
		await releaseAll(running)
	})

	test('the certificate, without dropping a connection', async () => {
		const running = await hundredRunning()
		const kept = await scene.tls()
		const next = await testCredentials()
		scene.forwarder.setCredentials(next)
		// A new connection gets only the new one.
		const fresh = await scene.tls(next.authority)
		expect(fresh.authorized).toBe(true)
		fresh.destroy()
		await expect(scene.get('edl/', {agent: false})).rejects.toMatchObject({code: expect.stringMatching(/CERT|VERIFY|SELF_SIGNED/)})
		// The old connection continues.
		kept.write('GET /instance/execute/edl/old HTTP/1.1\r\nHost: localhost\r\n\r\n')
		const [bytes] = await once(kept, 'data')
		expect(String(bytes)).toContain('here is /old')
		kept.destroy()
		await releaseAll(running)
	})

	test('requests that never stop see either the old or the new, and nothing else', async () => {
		const asks = new AbortController()
		const seen: Answer[] = []
		const asking = Array.from({length: 10}, async () => {
			while (!asks.signal.aborted) seen.push(await scene.get('edl/'))
		})
		for (let turn = 0; turn < 40; turn += 1) {
			const value = turn % 2 === 0 ? 'false' : 'true'
			scene.reload(undefined, {parameters: {'instance.execute.external.edl': value}})
			await new Promise(setImmediate)
		}
		await expect.poll(() => seen.length).toBeGreaterThan(200)
		asks.abort()
		await Promise.all(asking)
		expect(seen.every(({status, body}) => status === 404 || (status === 200 && body === 'here is /'))).toBe(true)
	})

	test('a request that sends its head in pieces is judged by what holds when the head is complete', async () => {
		const outgoing = await scene.tls()
		outgoing.write('GET /instance/execute/edl/ HTTP/1.1\r\n')
		scene.reload(undefined, {parameters: {}})
		outgoing.write('Host: localhost\r\n\r\n')
		const [bytes] = await once(outgoing, 'data')
		expect(String(bytes)).toMatch(/^HTTP\/1\.1 404 /)
		outgoing.destroy()
	})

	test('an upload that runs is not cut by a smaller limit', async () => {
		const upload = httpsRequest(scene.options('edl/wait', {method: 'POST'}))
		upload.write('a'.repeat(1000))
		await expect.poll(() => waiting.length).toBe(1)
		scene.reload([{name: 'edl', listenPort: instance.port, limits: {body: 10}}])
		upload.end('b'.repeat(1000))
		release()
		const answer = await responseTo(upload)
		answer.resume()
		expect(answer.statusCode).toBe(200)
		const refused = httpsRequest(scene.options('edl/wait', {method: 'POST'}))
		refused.end('b'.repeat(1000))
		const after = await responseTo(refused)
		after.resume()
		expect(after.statusCode).toBe(413)
	})
})
