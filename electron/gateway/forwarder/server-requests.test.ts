import {until} from '#base/testing/until.ts'

import {answering, answerOf} from './testing/raw-instance.ts'
import {get, post} from './testing/talk.ts'
import {startTransport as start} from './testing/transport.ts'

describe('requests on one connection', () => {
	test('one after the other go over one kept connection to the instance', async () => {
		const {talk, instance, records} = await start(({socket}, count) => socket.write(answerOf(`answer ${count}`)))
		const client = await talk(get('/a'))
		await client.until(/answer 1$/)
		client.send(get('/b?x=1'))
		await client.until(/answer 2$/)
		expect(instance.accepted).toBe(1)
		expect(records.map(({path, status, endedBy, sent}) => [path, status, endedBy, sent])).toEqual([
			['/instance/execute/edl/a', 200, 'done', 8],
			['/instance/execute/edl/b', 200, 'done', 8]
		])
		expect(records[1]?.phases.connect).toBe(0)
	})

	test('sent all at once are answered in their order, though later ones would be faster', async () => {
		const {talk} = await start(({socket, head}) => {
			const name = /edl|\/(\w) HTTP/.exec(head)?.[1] ?? ''
			if (name === 'a') setTimeout(() => socket.write(answerOf('first')), 60)
			else socket.write(answerOf(name))
		})
		const client = await talk(get('/a') + get('/b') + get('/c'))
		const text = await client.until(/c$/)
		expect(text.match(/first|[bc]$|\r\n\r\nb/g)).toEqual(['first', '\r\n\r\nb', 'c'])
	})

	test('cut into single bytes are the same requests', async () => {
		const {talk} = await start(async (request, count) => {
			await request.until(body => body === 'hello')
			request.socket.write(answerOf(`answer ${count}`))
		})
		const client = await talk()
		for (const byte of post('Content-Length: 5') + 'hello') {
			client.send(byte)
			await new Promise(setImmediate)
		}
		expect(await client.until(/answer 1$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
	})

	test('after the allowed number, the connection closes and says so before', async () => {
		const {talk} = await start(answering('ok'), {limits: {requestsPerConnection: 2}})
		const client = await talk(get('/') + get('/') + get('/'))
		const text = await client.closed()
		expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
		expect(text.match(/Connection: close/g)).toHaveLength(1)
	})

	test('a broken one ends the connection, and what follows is never read', async () => {
		const {talk, instance} = await start(answering('ok'))
		const client = await talk('GET /instance/execute/edl/ HTTP/1.1\r\n\r\n' + get('/smuggled'))
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close\r\n\r\n\{[^}]*\}$/)
		expect(instance.accepted).toBe(0)
	})

	test('many that are refused at once do not nest', async () => {
		const {talk} = await start(() => {})
		const client = await talk()
		const nowhere = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'
		client.send(nowhere.repeat(900))
		const text = await client.until(received => received.split('HTTP/1.1 404').length === 901)
		expect(text).not.toContain('Connection: close')
	})
})

describe('bodies', () => {
	test('with a length reach the instance as they are', async () => {
		const {talk} = await start(async request => {
			await request.until(body => body.length >= 11)
			request.socket.write(answerOf(`${/content-length: (\d+)/i.exec(request.head)?.[1] ?? ''} ${request.body()}`))
		})
		const client = await talk(post('Content-Length: 11') + 'hello')
		client.send(' world')
		expect(await client.until(/world$/)).toMatch(/11 hello world$/)
	})

	test('in chunks reach the instance in chunks, and the next request is found behind them', async () => {
		const seen: string[] = []
		const {talk} = await start(async (request, count) => {
			if (count === 1) await request.until(body => body.endsWith('0\r\n\r\n'))
			if (count === 1) seen.push(request.body())
			request.socket.write(answerOf(`answer ${count}`))
		})
		const client = await talk(`${post('Transfer-Encoding: chunked')}5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n${get('/next')}`)
		await client.until(/answer 2$/)
		expect(seen).toEqual(['5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'])
	})

	test('in chunks come to a client in chunks, to an old one until the close', async () => {
		const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
		const {talk} = await start(({socket}) => socket.write(chunked))
		const modern = await talk(get('/'))
		expect(await modern.until(/0\r\n\r\n$/)).toMatch(/Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/)
		const old = await talk('GET /instance/execute/edl/ HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n')
		const text = await old.closed()
		expect(text).toMatch(/Connection: close\r\n\r\nhello$/)
		expect(text).not.toMatch(/Transfer-Encoding/i)
	})

	test('that end with the connection of the instance are whole for the client, whose connection goes on', async () => {
		const {talk} = await start(({socket}) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
		const client = await talk(get('/'))
		await client.until(/0\r\n\r\n$/)
		client.send(get('/'))
		const text = await client.until(received => received.split('all of it').length === 3 && received.endsWith('0\r\n\r\n'))
		expect(text).not.toContain('Connection: close')
	})

	test.each(['HEAD', 'GET'])('an answer to %s that has none leaves the connection in step', async method => {
		const head = method === 'HEAD' ? 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n' : 'HTTP/1.1 304 Not Modified\r\n\r\n'
		const {talk, instance} = await start(({socket}, count) => socket.write(count === 1 ? head : answerOf('next')))
		const client = await talk(`${method} /instance/execute/edl/ HTTP/1.1\r\nHost: localhost\r\n\r\n${get('/')}`)
		const text = await client.until(/next$/)
		expect(text.split('HTTP/1.1')).toHaveLength(3)
		expect(text).toMatch(method === 'HEAD' ? /Content-Length: 1000/ : /304 Not Modified/)
		expect(instance.accepted).toBe(1)
	})

	test('left unread, if small, do not end the connection', async () => {
		const {talk} = await start(() => {})
		const client = await talk()
		const refused = 'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n'
		client.send(`${refused}hel`)
		await client.until(/404/)
		client.send(`lo${refused}hello`)
		const text = await client.until(received => received.split('HTTP/1.1 404').length === 3)
		expect(text).not.toContain('Connection: close')
	})

	test('too large are refused from the head, and the client can read why while it still sends', async () => {
		const {talk, instance} = await start(() => {}, {instance: {limits: {body: 100}}})
		const client = await talk(post('Content-Length: 10000000'))
		const piece = 'x'.repeat(65_536)
		for (let sent = 0; sent < 40 && !client.isClosed; sent += 1) client.send(piece)
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/)
		expect(instance.accepted).toBe(0)
	})

	test('too large in chunks are refused when they are', async () => {
		const {talk, instance} = await start(() => {}, {instance: {limits: {body: 10}}})
		const client = await talk(`${post('Transfer-Encoding: chunked')}8\r\n12345678\r\n8\r\n12345678\r\n`)
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 413 /)
		await until('its end', () => instance.open === 0)
	})

	test('with broken chunks are 400, and the instance sees them cut', async () => {
		const {talk, instance} = await start(() => {})
		const client = await talk(`${post('Transfer-Encoding: chunked')}5\r\nhello\r\n`)
		client.send('zz\r\n')
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 /)
		await instance.idle()
	})
})

describe('interim answers', () => {
	test('103 comes before the answer; 100 of the instance does not', async () => {
		const {talk} = await start(({socket}) => {
			socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n')
			setTimeout(() => socket.write(answerOf('ok')), 20)
		})
		const client = await talk(get('/'))
		expect(await client.until(/ok$/)).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nLink: <[^>]*a\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200/)
	})

	test('a client that waits for 100 gets it once the instance is there, and its body goes on', async () => {
		const {talk} = await start(async request => {
			expect(request.head.toLowerCase()).not.toContain('expect')
			await request.until(body => body === 'hello')
			request.socket.write(answerOf('thanks'))
		})
		const client = await talk(post('Content-Length: 5\r\nExpect: 100-continue'))
		await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
		client.send('hello')
		await client.until(/thanks$/)
	})

	test('a client that waits for 100 and is refused is not asked for its body', async () => {
		const {talk} = await start(() => {}, {instance: {limits: {body: 3}}})
		const client = await talk(post('Content-Length: 5\r\nExpect: 100-continue'))
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 413 /)
	})
})

describe('answers that do not wait for the request', () => {
	test('reach the client while it still sends; then its connection ends', async () => {
		const {talk} = await start(({socket}) => socket.write('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno'))
		const client = await talk(`${post('Content-Length: 1000000')}some`)
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 401 No\r\n[^]*Connection: close\r\n\r\nno$/)
	})
})
