/** Switching from HTTP to a WebSocket (RFC 6455; G18): checks before and after asking the instance. */
import {hash} from 'node:crypto'

import {valuesOf} from './headers/lookup.ts'
import {badAnswer} from './refusals.ts'
import type {Fields, Refusal, RequestHead, ResponseHead} from './message-types.ts'

type UpgradeWish =
	/** No supported upgrade: the request is forwarded without `Upgrade`. */
	{kind: 'none'} | {kind: 'websocket'} | {kind: 'refused'; refusal: Refusal}

/** Connection fields on both hops of a handshake. */
export const upgradeFields: Fields = ['Connection', 'Upgrade', 'Upgrade', 'websocket']

const none: UpgradeWish = {kind: 'none'}

function refuse(status: number, reason: string, detail: string, fields: Fields = []): UpgradeWish {
	return {kind: 'refused', refusal: {status, reason, proxyError: 'http_upgrade_failed', detail, fields, close: false}}
}

function names(upgrade: string) {
	return upgrade.split(',').map(protocol => protocol.trim().toLowerCase())
}

/** Only `websocket`, and only if the instance allows it; anything else, especially h2c, is ignored (RFC 9110, section 7.8). */
export function readUpgrade(head: RequestHead, instance: {websocket: boolean}): UpgradeWish {
	if (head.upgrade === null || !instance.websocket || !names(head.upgrade).includes('websocket')) return none
	if (head.method !== 'GET') return refuse(400, 'bad_websocket', 'A WebSocket begins with GET.')
	const versions = valuesOf(head.fields, 'sec-websocket-version')
	if (versions.length !== 1 || versions[0] !== '13') {
		const fields = ['Upgrade', 'websocket', 'Sec-WebSocket-Version', '13']
		return refuse(426, 'websocket_version', 'The only version of WebSocket is 13.', fields)
	}
	const keys = valuesOf(head.fields, 'sec-websocket-key')
	// 16 bytes in base64: the last of 22 digits holds four bits.
	const fits = keys.length === 1 && /^[A-Za-z0-9+/]{21}[AQgw]==$/.test(keys[0] ?? '')
	return fits ? {kind: 'websocket'} : refuse(400, 'websocket_key', 'Sec-WebSocket-Key must be 16 bytes in base64.')
}

/** The required answer to a key (RFC 6455, section 4.2.2). */
export function acceptOf(key: string) {
	// SHA-1 is prescribed by the protocol; it protects nothing.
	return hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
}

/** Why a `101` does not match its handshake, or `null`. */
export function switchProblem(asked: RequestHead, answer: ResponseHead): Refusal | null {
	const [key = ''] = valuesOf(asked.fields, 'sec-websocket-key')
	const accepts = valuesOf(answer.fields, 'sec-websocket-accept')
	const upgrades = valuesOf(answer.fields, 'upgrade').flatMap(names)
	const fits =
		answer.status === 101 &&
		accepts.length === 1 &&
		accepts[0] === acceptOf(key) &&
		upgrades.length === 1 &&
		upgrades[0] === 'websocket' &&
		answer.connection.includes('upgrade')
	return fits ? null : {...badAnswer.statusLine, reason: 'bad_switch', detail: 'The handshake of the WebSocket failed.'}
}
