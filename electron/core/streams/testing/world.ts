/** A profile with a writable connection to a sandbox, its event streams, and a store of events. */
import {join} from 'node:path'

import {openTestProfile} from '#core/app/testing/real-profile.ts'
import type {SecretStore} from '#base/ports.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {eventSource} from '#core/replicas/events/source.ts'
import {openEventStore} from '#core/replicas/events/store.ts'
import {openStreams} from '../streams.ts'

export interface StreamWorldOptions {
	service: {url: string; clientId: string; apiKey: string}
	ca?: string
	secrets?: (ports: TestPorts) => SecretStore
}

export type StreamWorld = Awaited<ReturnType<typeof makeStreamWorld>>

export async function makeStreamWorld({service, ca, secrets}: StreamWorldOptions) {
	const ports = testPorts({eager: true})
	const {url, clientId, apiKey} = service
	const profile = openTestProfile(ports)
	const look = {insecure: false, colour: 'blue', environment: 'lab', readOnly: false} as const
	const {id} = await profile.connections.add({name: 'lab', url, clientId, apiKey, ...look, ...(ca !== undefined && {ca})})
	const store = openEventStore({
		path: join(ports.profile, 'events', `${id}.db`),
		clock: ports.clock,
		source: eventSource(profile.connections.client(id)),
		groupNames: () => new Map(),
		patienceMs: 10_000
	})
	const troubles: string[] = []
	/** The same profile, opened by another process. */
	const another = () =>
		openStreams({
			...{clock: ports.clock, profile: ports.profile, random: ports.random, surface: 'screen', events: () => store},
			...{connections: profile.connections, database: profile.database, log: profile.log},
			secrets: secrets?.(ports) ?? ports.secrets,
			onTrouble: message => void troubles.push(message)
		})
	const streams = another()
	const stop = async () => {
		await streams.stop()
		await store.stop()
		await profile.stop()
		ports.remove()
	}
	return {ports, profile, streams, store, connection: id, troubles, another, stop}
}
