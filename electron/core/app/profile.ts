import {existsSync} from 'node:fs'
import {join} from 'node:path'

import type {ApiClient, ClientOptions} from '#core/service/api/types.ts'
import type {Escrow} from '#core/actions/commands/types.ts'
import {Approvals} from '#core/approvals/approvals.ts'
import {openConnections} from '#core/service/connections/connections.ts'
import {openWriteLocks} from '#core/service/connections/locks.ts'
import type {Probe} from '#core/service/connections/probe.ts'
import {openGuards} from '#core/actions/guards/guards.ts'
import {openIncidentLog, type LocalLog} from '#core/record/incidents/log.ts'
import {anchorsIn} from '#core/record/incidents/anchor.ts'
import type {LogAnchors, NewEntry} from '#core/record/incidents/types.ts'
import {openLabels} from '#core/service/labels/labels.ts'
import {openUnlockCodes} from '#core/actions/isolation/codes.ts'
import {openLeases} from '#core/actions/isolation/leases.ts'
import {openManaged, type Managed} from '#core/service/managed/managed.ts'
import {asActing} from '#base/acting.ts'
import type {Ports} from '#base/ports.ts'
import {inThread} from '#core/store/async.ts'
import {openRunRepository} from '#core/engine/sqlite.ts'
import {openHistory} from '#core/service/settings/history.ts'
import {openSettings} from '#core/service/settings/settings.ts'
import type {Database} from '#core/store/database.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {openViews} from '#core/service/views/views.ts'
import {isolationsToCome} from '#core/work/jobs/rows.ts'
import {openProfileThread, type ProfileThread} from './profile-thread.ts'

interface ProfileOptions {
	createClient: (options: ClientOptions) => ApiClient
	probe?: Probe | undefined
	/** Stores incident log and runs in a thread of their own, on the system clock. Default: false. */
	storageThread?: boolean | undefined
	/** The thread starts then, or with the first write. Default: with the first call. */
	shown?: Promise<unknown> | undefined
	/** `User-Agent`, such as `Cordon/0.1.0`. */
	userAgent: string
}

export type Profile = ReturnType<typeof openProfile>

/** Parts open at first use, where each may throw `storage`. */
export function openProfile(ports: Ports, options: ProfileOptions) {
	const {part, closeAll} = createParts()
	const database = part(
		() => openProfileDatabase(ports.profile, options.storageThread),
		opened => opened.close()
	)
	const {log, runs} = storageParts(ports, options, part, anchorsIn(withinProfile(ports.profile, database)))
	const managed = part(() => openManagedFile(ports, database(), log))
	const connections = part(
		() => openStoredConnections(ports, options, {database: database(), log, managed: managed()}),
		opened => opened.stop()
	)
	const locks = part(
		() => openWriteLocks(database()),
		opened => opened.stop()
	)
	const guards = part(() =>
		openGuards({
			database: database(),
			clock: ports.clock,
			connections,
			log,
			toCome: async connection => await isolationsToCome(runs(), connection, ports.clock.now()),
			note: entry => void log().note(entry),
			managed: managed(),
			roles: (connection, guid) => labels().of(connection).of(guid.toLowerCase()).roles
		})
	)
	const approvals = part(() => new Approvals({...storesOf(ports, database(), log, managed()), connections}))
	const escrow = part(() => openEscrow(ports, database()))
	const settings = part(() => openSettings(database(), managed()))
	const history = part(() => openHistory(database()))
	const labels = part(() => openLabels(database()))
	const views = part(() => openViews(database()))

	return {
		get database() {
			return database()
		},
		get log() {
			return log()
		},
		/** Appends at once, within the caller's transaction in this thread; throws `log_unavailable`. */
		note: (entry: NewEntry) => log().note(asActing(entry)),
		get connections() {
			return connections()
		},
		get locks() {
			return locks()
		},
		/** Managed settings: set and locked by an administrator for every profile of this computer. */
		get managed() {
			return managed()
		},
		/** The guard rules of each connection. */
		get guards() {
			return guards()
		},
		/** Changes that wait for a second person, and the trusted keys. */
		get approvals() {
			return approvals()
		},
		get escrow() {
			return escrow()
		},
		get settings() {
			return settings()
		},
		get history() {
			return history()
		},
		get labels() {
			return labels()
		},
		get views() {
			return views()
		},
		get runs() {
			return runs()
		},
		stop: closeAll
	}
}

/** Incident log and runs, in this thread or in one of their own. */
function storageParts(ports: Ports, options: ProfileOptions, part: Parts['part'], anchors: LogAnchors) {
	const thread = part(
		() => (options.storageThread === true ? openProfileThread(ports, options.shown) : undefined),
		opened => opened?.stop()
	)
	const log = part(
		() => openLog(ports, anchors, thread()),
		opened => opened.stop()
	)
	const runs = part(
		() => thread()?.runs ?? inThread(openRunRepository(ports.profile)),
		opened => opened.close()
	)
	return {log, runs}
}

function openLog({profile, clock, random, operator}: Ports, anchors: LogAnchors, thread: ProfileThread | undefined) {
	return openIncidentLog({path: join(profile, 'incidents.db'), clock, random, operator, anchors}, thread?.log)
}

/** The log may close after the database, which it then opens itself; it never creates one. */
function withinProfile(folder: string, opened: () => Database) {
	return <T>(work: (database: Database) => T) => {
		if (!existsSync(join(folder, 'profile.db'))) return undefined
		const database = opened()
		if (database.isOpen) return work(database)
		const own = openProfileDatabase(folder)
		try {
			return work(own)
		} finally {
			own.close()
		}
	}
}

function storesOf({clock, random, operator}: Ports, database: Database, log: () => LocalLog, managed: Managed) {
	const note = (entry: NewEntry) => void log().note(asActing(entry))
	return {clock, random, operator, database, managed, note}
}

function openEscrow({secrets, clock, random, operator}: Ports, database: Database): Escrow {
	return {codes: openUnlockCodes({database, secrets, clock, random}), leases: openLeases(database), operator}
}

/** Logs managed changes at first use; an unwritable log delays nothing. */
function openManagedFile(ports: Ports, database: Database, log: () => LocalLog) {
	const managed = openManaged({file: ports.managedFile, database, log: entry => void log().note(entry), surface: surfaceOf(ports)})
	try {
		managed.note()
	} catch {
		// Tried again at the next start, and by a console every few seconds.
	}
	return managed
}

function surfaceOf({host}: Ports) {
	return host === 'cli' ? 'cli' : 'screen'
}

interface Stores {
	database: Database
	log: () => LocalLog
	managed: Managed
}

function openStoredConnections(ports: Ports, options: ProfileOptions, {database, log, managed}: Stores) {
	const {secrets, clock, random, proxyEnvironment} = ports
	const surface = surfaceOf(ports)
	return openConnections({
		...options,
		database,
		secrets,
		clock,
		random,
		proxyEnvironment,
		surface,
		managed,
		log: entry => void log().note(asActing(entry))
	})
}

interface Parts {
	/** Opened at first use, and closed at the end if it was. */
	part<T>(open: () => T, close?: (opened: T) => void | Promise<void>): () => T
	/** Backwards, because a part uses those opened before it. */
	closeAll(): Promise<void>
}

function createParts(): Parts {
	const closing: (() => void | Promise<void>)[] = []
	return {
		part: (open, close) =>
			once(() => {
				const opened = open()
				closing.push(() => close?.(opened))
				return opened
			}),
		closeAll: async () => {
			for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close()
		}
	}
}

function once<T>(make: () => T) {
	let made: {value: T} | undefined
	return () => (made ??= {value: make()}).value
}
