import {once} from 'node:events'
import {createServer} from 'node:http'
import {request} from 'node:https'
import {setImmediate} from 'node:timers/promises'

import {openPort} from '#base/testing/port.ts'
import {startForwarder} from './server.ts'
import {configOf} from './testing/heads.ts'
import {testCredentials} from './tls/testing/credentials.ts'

const size = 256 << 20
const piece = Buffer.alloc(1 << 18, 'cordon')
const growthAllowed = 60 << 20

/** Serves `length` bytes of the value in the path, and discards uploads. */
async function startInstance(length: number) {
	const server = createServer((incoming, outgoing) => {
		if (incoming.method === 'POST') {
			let received = 0
			incoming.on('data', (chunk: Buffer) => (received += chunk.length))
			incoming.on('end', () => outgoing.end(String(received)))
			return
		}
		outgoing.setHeader('Content-Length', length)
		const filled = Buffer.alloc(piece.length, Number(incoming.url?.slice(1)))
		let left = length / piece.length
		const pour = () => {
			for (let goesOn = true; goesOn && left > 0; left -= 1) goesOn = outgoing.write(filled)
			if (left > 0) outgoing.once('drain', pour)
			else outgoing.end()
		}
		pour()
	})
	return {server, port: await openPort(server)}
}

async function start(length = size) {
	const {server, port} = await startInstance(length)
	const credentials = await testCredentials()
	const forwarder = await startForwarder({listen: {host: '127.0.0.1', port: 0}, config: configOf([{name: 'edl', listenPort: port}]), credentials})
	const at = {host: '127.0.0.1', port: forwarder.listen.port, ca: credentials.authority, path: '/instance/execute/edl/'}
	const stop = async () => {
		await forwarder.stop(0)
		server.closeAllConnections()
		server.close()
	}
	return {at, stop}
}

/** Maximum memory growth while `work` ran. */
async function growthOf(work: Promise<unknown>) {
	const before = process.memoryUsage.rss()
	let most = before
	const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
	await work
	clearInterval(watch)
	return most - before
}

/** Number of received bytes; fails on a byte other than `expected`. Reads slower than the instance could send. */
async function download(at: Awaited<ReturnType<typeof start>>['at'], fill: number, slowly: boolean) {
	const path = `${at.path}${String(fill)}`
	const [answer] = await once(request({...at, path, agent: false}).end(), 'response')
	const wanted = Buffer.alloc(1 << 17, fill)
	let received = 0
	for await (const chunk of answer) {
		if (!chunk.equals(wanted.subarray(0, chunk.length))) throw new Error(`Other bytes than ${String(fill)} came.`)
		received += chunk.length
		if (slowly && received % 7 === 0) await setImmediate()
	}
	return received
}

test('a large download passes through a small memory', async () => {
	const {at, stop} = await start()
	expect(await download(at, 1, false)).toBe(size)
	const again = download(at, 2, true)
	expect(await growthOf(again)).toBeLessThan(growthAllowed)
	expect(await again).toBe(size)
	await stop()
})

test('downloads at the same time never mix their bytes, however fast their clients are', async () => {
	const {at, stop} = await start(32 << 20)
	const fills = [11, 22, 33, 44, 55, 66]
	const received = await Promise.all(fills.map(fill => download(at, fill, fill % 2 === 0)))
	expect(received).toEqual(fills.map(() => 32 << 20))
	await stop()
})

test('a large upload passes through a small memory', async () => {
	const {at, stop} = await start()
	const upload = async () => {
		const sending = request({...at, method: 'POST', agent: false, headers: {'Content-Length': size}})
		const answered = once(sending, 'response')
		for (let sent = 0; sent < size; sent += piece.length) {
			if (!sending.write(piece)) await once(sending, 'drain')
		}
		sending.end()
		const [answer] = await answered
		answer.setEncoding('latin1')
		let text = ''
		for await (const chunk of answer) text += chunk
		expect(text).toBe(String(size))
	}
	await upload()
	expect(await growthOf(upload())).toBeLessThan(growthAllowed)
	await stop()
})
