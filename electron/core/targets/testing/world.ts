/** A profile in real time with a store of events and its targets. */
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {openProfile} from '#core/app/profile.ts'
import {systemClock as clock} from '#base/system.ts'
import {testPorts} from '#base/testing/ports.ts'
import {openEventStore} from '#core/replicas/events/store.ts'
import {createApiClient} from '#core/service/api/client.ts'
import {patienceMs} from '#base/testing/until.ts'
import {openTargets} from '../targets.ts'

/** For real servers: polls every 50 ms. */
export async function eventually(what: string, look: () => boolean | Promise<boolean>) {
	for (const end = performance.now() + patienceMs; performance.now() < end;) {
		if (await look()) return
		await sleep(50)
	}
	throw new Error(`It did not happen: ${what}.`)
}

export type TargetWorld = Awaited<ReturnType<typeof makeTargetWorld>>

export async function makeTargetWorld() {
	const ports = {...testPorts(), clock}
	const profile = openProfile(ports, {createClient: createApiClient, userAgent: 'Cordon/test'})
	const look = {insecure: false, colour: 'blue', environment: 'lab', readOnly: false} as const
	const at = {url: 'https://service.example', clientId: 'a', apiKey: 'b'}
	const {id: connection} = await profile.connections.add({name: 'lab', ...at, ...look})
	const never = async () => Promise.reject(new Error('nothing is read'))
	const store = openEventStore({
		path: join(ports.profile, 'events', 'one.db'),
		clock,
		source: {skewMs: () => 0, types: never, page: never},
		groupNames: () => new Map(),
		patienceMs: 10_000
	})
	const told: string[] = []
	const open = () =>
		openTargets({
			...{profile: ports.profile, clock, secrets: ports.secrets, random: ports.random, surface: 'screen'},
			...{database: profile.database, log: profile.log, connections: profile.connections},
			events: id => {
				// Other ids stand for connections that are there.
				if (id === connection) profile.connections.find(id)
				return store
			},
			tell: (_title, body) => void told.push(body),
			onTrouble: message => void told.push(message),
			syslogTimes: {longestMs: 200, settleMs: 300, patienceMs: 15_000}
		})
	let targets = open()
	return {
		...{folder: ports.profile, secrets: ports.secrets, profile, store, connection, told, targets: () => targets},
		/** Ends and starts the program. */
		restart: async () => {
			await targets.stop()
			targets = open()
			await targets.sendAll()
		},
		/** Appends this many notes, numbered from there on. */
		notes: async (from: number, count: number, data: Readonly<Record<string, unknown>> = {}) => {
			const entry = (number: number) => ({kind: 'note', surface: 'cli', message: `n${number}`, data}) as const
			await Promise.all(Array.from({length: count}, (_, place) => profile.log.append(entry(from + place))))
			targets.wake()
		},
		stop: async () => {
			await targets.stop()
			await store.stop()
			await profile.stop()
			ports.remove()
		}
	}
}
