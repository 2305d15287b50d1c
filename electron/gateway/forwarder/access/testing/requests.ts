import type {Fields, Peer, RequestHead} from '../../message-types.ts'

export function headWith(...fields: Fields): RequestHead {
	return {
		method: 'GET',
		target: '/instance/execute/a',
		version: '1.1',
		authority: 'localhost',
		fields,
		framing: {kind: 'none'},
		connection: [],
		keepAlive: true,
		expectContinue: false,
		upgrade: null,
		wantsTrailers: false,
	}
}

export function peerAt(address: string, certificate: Peer['certificate'] = null): Peer {
	return {address, client: address, port: 40_000, localPort: 443, certificate}
}

export function basicField(user: string, password: string): Fields {
	return ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`]
}
