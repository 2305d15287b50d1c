import {randomBytes} from 'node:crypto'

import type {Fields, Peer, RequestHead} from '../../message-types.ts'
import {headOf} from '../../testing/heads.ts'
import {createAccess} from '../access.ts'

export function accessAt(clock: {now(): number; monotonic(): number}) {
	return createAccess({...clock, random: randomBytes})
}

export function headWith(...fields: Fields): RequestHead {
	return headOf('/instance/execute/a', {fields})
}

export function peerAt(address: string, certificate: Peer['certificate'] = null): Peer {
	return {address, client: address, port: 40_000, localPort: 443, certificate}
}

export function basicField(user: string, password: string): Fields {
	return ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`]
}
