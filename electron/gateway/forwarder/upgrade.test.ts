import type {Fields, RequestHead, ResponseHead} from './message-types.ts'
import {answerHeadOf, headOf} from './testing/heads.ts'
import {acceptOf, readUpgrade, switchProblem} from './upgrade.ts'

const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const handshake: Fields = ['Host', 'a', 'Sec-WebSocket-Key', key, 'Sec-WebSocket-Version', '13']

function asked(changes: Partial<RequestHead> = {}) {
	return headOf('/', {fields: handshake, connection: ['upgrade'], upgrade: 'websocket', ...changes})
}

function switched(fields: Fields, changes: Partial<ResponseHead> = {}) {
	const head = {status: 101, reason: 'Switching Protocols', framing: {kind: 'none'}, connection: ['upgrade'], keepAlive: false} as const
	return answerHeadOf({...head, fields, ...changes})
}

const agreed: Fields = ['Upgrade', 'WebSocket', 'Connection', 'Upgrade', 'Sec-WebSocket-Accept', acceptOf(key)]

function wish(changes: Partial<RequestHead>, websocket = true): unknown {
	const found = readUpgrade(asked(changes), {websocket})
	return found.kind === 'refused' ? [found.refusal.status, found.refusal.reason] : found.kind
}

function without(name: string): Fields {
	const at = handshake.indexOf(name)
	return [...handshake.slice(0, at), ...handshake.slice(at + 2)]
}

describe('a request to switch protocols', () => {
	test('is accepted only for a WebSocket', () => {
		expect(wish({})).toBe('websocket')
		expect(wish({upgrade: 'h2c, WebSocket'})).toBe('websocket')
		expect(wish({upgrade: 'h2c'})).toBe('none')
		expect(wish({upgrade: 'websocket-of-mine'})).toBe('none')
		expect(wish({upgrade: null})).toBe('none')
	})

	test('is ignored when the instance has no WebSockets, whatever else is wrong with it', () => {
		expect(wish({}, false)).toBe('none')
		expect(wish({fields: []}, false)).toBe('none')
	})

	test('is refused with 426 without version 13, and the version is given', () => {
		expect(wish({fields: without('Sec-WebSocket-Version')})).toEqual([426, 'websocket_version'])
		expect(wish({fields: [...without('Sec-WebSocket-Version'), 'Sec-WebSocket-Version', '8']})).toEqual([426, 'websocket_version'])
		const found = readUpgrade(asked({fields: without('Sec-WebSocket-Version')}), {websocket: true})
		expect(found.kind === 'refused' && found.refusal.fields).toContain('Sec-WebSocket-Version')
	})

	test.each([
		['none', without('Sec-WebSocket-Key')],
		['two', [...handshake, 'Sec-WebSocket-Key', key]],
		['15 bytes', [...without('Sec-WebSocket-Key'), 'sec-websocket-key', Buffer.alloc(15).toString('base64')]],
		['no base64', [...without('Sec-WebSocket-Key'), 'Sec-WebSocket-Key', '?'.repeat(24)]]
	])('is refused with 400 with a bad key: %s', (_what, fields) => {
		expect(wish({fields})).toEqual([400, 'websocket_key'])
	})

	test('is refused with 400 for anything but GET', () => {
		expect(wish({method: 'POST'})).toEqual([400, 'bad_websocket'])
	})
})

describe('the answer of the instance', () => {
	test('fits with the accept value of RFC 6455', () => {
		expect(acceptOf(key)).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
		expect(switchProblem(asked(), switched(agreed))).toBeNull()
	})

	test.each([
		['another accept value', [...agreed.slice(0, 5), acceptOf('other')], {}],
		['no accept value', agreed.slice(0, 4), {}],
		['two accept values', [...agreed, 'Sec-WebSocket-Accept', acceptOf(key)], {}],
		['another protocol', ['Upgrade', 'h2c', ...agreed.slice(2)], {}],
		['no Upgrade', agreed.slice(2), {}],
		['no Connection: upgrade', agreed, {connection: []}],
		['another status', agreed, {status: 200}]
	])('is a failure of the instance with %s', (_what, fields, changes) => {
		expect(switchProblem(asked(), switched(fields, changes))).toMatchObject({status: 502, reason: 'bad_switch'})
	})
})
