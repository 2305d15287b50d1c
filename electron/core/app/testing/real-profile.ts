/** A profile as a program opens it, on real time, with one connection and an engine. */
import type {Ports} from '#base/ports.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {memorySecrets} from '#base/testing/ports.ts'
import {createEngine} from '#core/engine/engine.ts'
import {createApiClient} from '#core/service/api/client.ts'

import {openProfile} from '../profile.ts'

interface Service {
	url: string
	clientId: string
	apiKey: string
}

/** Calls its services as a program does. */
export function openTestProfile(ports: Ports, createClient: typeof createApiClient = createApiClient) {
	return openProfile(ports, {createClient, userAgent: 'Cordon/test'})
}

/** As a command line opens it. */
export function openCliProfile(folder: string, secrets = memorySecrets(), createClient = createApiClient) {
	const ports = {
		host: 'cli',
		...{profile: folder, operator: 'kim', clock: systemClock, random: systemRandom},
		...{secrets, proxyEnvironment: {}, notify: () => {}}
	} as const
	return openTestProfile(ports, createClient)
}

/** Every process has the same connection. A test that inspects calls brings its own client. */
export function openRealProfile(folder: string, service: Service, createClient = createApiClient) {
	const profile = openCliProfile(folder, undefined, createClient)
	const {id: connection} = profile.connections.addTransient({
		...{name: 'service', ...service},
		...{insecure: service.url.startsWith('http:'), colour: 'grey', environment: 'test', readOnly: false, proxy: null, ca: null}
	})
	const onTrouble = (message: string, error: unknown) => void process.stderr.write(`${message} ${String(error)}\n`)
	const runs = createEngine({store: profile.runs, clock: systemClock, random: systemRandom, onTrouble})
	return {profile, connection, runs, onTrouble}
}
