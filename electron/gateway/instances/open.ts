/** Instances stored in the profile; loaded at first use, because few commands need them. */
import {join} from 'node:path'

import type {GatewayDependencies} from '#core/app/gateway.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {InstanceHealth} from '#model/instance.ts'
import {hashPassword, hashToken} from '../forwarder/access/password.ts'
import {machineNames} from '../forwarder/tls/names.ts'
import {openCertificates} from './certificates.ts'
import {viewInstances} from './instances.ts'
import {isFree} from './listening.ts'
import {outputOf} from './output-rows.ts'
import {requestsOf} from './request-rows.ts'
import {askToPublish, factsOf, historyOf, runningServer} from './state-rows.ts'
import {openInstanceStore} from './store.ts'
import {emptySeries} from './traffic.ts'
import type {InstanceRuntime} from './types.ts'

export type OpenedInstances = ReturnType<typeof openInstances>

export function openInstances({ports, database, log}: GatewayDependencies) {
	const {secrets, clock, random, host, profile} = ports
	const store = openInstanceStore({
		database,
		secrets,
		clock,
		random,
		surface: host === 'cli' ? 'cli' : 'screen',
		log,
		hashers: {password: hashPassword, token: hashToken},
		isFree
	})
	const certificates = openCertificates({folder: join(profile, 'forwarder'), clock, random, store})
	const runtime = recordedRuntime(database, clock)
	/** From the view of a process that runs none: states as recorded by the console. */
	const instances = viewInstances({store, runtime, certificates, clock, ownNames: machineNames})
	const stop = async () => {
		store.stop()
		await certificates.stop()
	}
	return {store, certificates, instances, stop}
}

/** Running state as recorded by another process on the profile: for the command line. */
const noTraffic = {requestsPerSecond: 0, running: 0, total: 0, failures: 0, lastRequest: null} as const

function recordedRuntime(database: Database, clock: Clock): InstanceRuntime {
	const runs = () => runningServer(database) !== undefined
	const notHere = (what: string) =>
		new CordonError('usage', `${what} is done by the console that runs.`, {fix: runs() ? 'Use its window.' : 'Start the console ("npm start").'})
	return {
		server: () => runningServer(database) ?? {state: 'off', problem: noConsole, listen: null, connections: 0},
		health: id => recordedHealth(database, clock, id, runs()),
		history: id => historyOf(database, id),
		traffic: id => (runs() ? factsOf(database, id)?.traffic : undefined) ?? noTraffic,
		series: () => emptySeries(clock.now()),
		output: id => outputOf(database, id),
		listStatus: id => factsOf(database, id)?.list ?? null,
		requests: (id, limit) => requestsOf(database, id, limit),
		// oxlint-disable-next-line require-yield -- nothing comes by here
		follow: async function* () {
			throw notHere('Following requests')
		},
		checkNow: () => Promise.reject(notHere('Looking at an instance')),
		publish: async id => {
			if (!runs()) throw notHere('Publishing a list')
			const list = factsOf(database, id)?.list ?? null
			if (list === null || list.heldBack === null) throw usageError('Nothing is held back: there is nothing to publish.', 'id')
			askToPublish(database, id)
			return list
		},
		problem: () => null,
		isOpen: ({id, openPort}) => {
			const facts = runs() ? factsOf(database, id) : undefined
			return facts?.openPort === openPort ? (facts.isOpen ?? undefined) : undefined
		},
		listensOn: () => false
	}
}

const noConsole = 'No console runs on this profile.'

function recordedHealth(database: Database, clock: Clock, id: string, runs: boolean): InstanceHealth {
	const health = factsOf(database, id)?.health
	if (runs && health !== undefined) return health
	const since = health?.since ?? new Date(clock.now()).toISOString()
	return {state: 'stopped', reason: noConsole, since, checkedAt: health?.checkedAt ?? null}
}
