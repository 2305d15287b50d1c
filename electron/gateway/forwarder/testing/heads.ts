import {instanceDefinitionSchema, type InstanceInput} from '#model/instance.ts'

import {defaultLimits} from '../limits.ts'
import type {Peer, RequestHead, ResponseHead} from '../message-types.ts'
import type {ForwardedInstance, ForwarderConfig} from '../types.ts'

export interface InstanceWish extends Omit<InstanceInput, 'listenPort' | 'access' | 'program' | 'healthCheck'> {
	listenPort?: number
	aliases?: readonly string[]
	state?: ForwardedInstance['state']
	access?: ForwardedInstance['access']
}

/** An instance as used by the forwarder, with defaults. */
export function instanceOf(wish: InstanceWish): ForwardedInstance {
	const {aliases = [], state = 'healthy', access = {kind: 'none'}, listenPort = 9000, ...input} = wish
	const definition = instanceDefinitionSchema.parse(input)
	const id = `id of ${definition.name}`
	return {...definition, id, origin: `${id} ${listenPort}`, listenPort, aliases, state, access}
}

/** Exposes every instance unless the parameters differ. */
export function configOf(wishes: readonly InstanceWish[], more: Partial<ForwarderConfig> = {}): ForwarderConfig {
	return {
		parameters: {'instance.execute.external': 'true'},
		instances: wishes.map(instanceOf),
		hostnames: ['cordon.example'],
		trustedProxies: [],
		platformVersion: '6.12',
		limits: defaultLimits,
		pseudonym: 'cordon',
		strictTransportSecurity: false,
		...more
	}
}

export function headOf(target: string, more: Partial<RequestHead> = {}): RequestHead {
	return {
		method: 'GET',
		target,
		version: '1.1',
		authority: 'localhost',
		fields: ['Host', 'localhost'],
		framing: {kind: 'none'},
		connection: [],
		keepAlive: true,
		expectContinue: false,
		upgrade: null,
		wantsTrailers: false,
		...more
	}
}

export function answerHeadOf(more: Partial<ResponseHead> = {}): ResponseHead {
	return {...{status: 200, reason: 'OK', version: '1.1', fields: [], framing: {kind: 'chunked'}}, ...{connection: [], keepAlive: true, ...more}}
}

export const peer: Peer = {address: '192.0.2.7', port: 50_000, client: '192.0.2.7', localPort: 8443, certificate: null}
