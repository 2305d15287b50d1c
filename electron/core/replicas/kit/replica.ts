/**
 * A replica is the local copy of one kind of data: a declaration, and for each connection a copy that is opened on first use and
 * deleted with its connection.
 */
import type {Bus} from '#base/bus.ts'
import {waitUntilDue} from '#base/due.ts'
import type {Clock} from '#base/ports.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {removeDatabase} from '#core/store/database-files.ts'
import type {CopyKind} from '#model/choices.ts'
import type {Connection} from '#model/connection.ts'
import {copiedIn, copyPath, folderOf} from './files.ts'

/** Services available to every declaration. */
export interface ReplicaHost {
	/** The profile's folder. */
	profile: string
	clock: Clock
	bus: Pick<Bus, 'emit'>
	connections: Pick<Connections, 'find' | 'client'>
	/** Whether an earlier process's data of this connection is to be discarded. */
	worthless: (connection: Connection) => boolean
	onTrouble: (message: string, error: unknown) => void
}

/** An open copy. */
interface Copy {
	stop(): Promise<void> | void
}

interface ReplicaSpec<Open extends Copy> {
	kind: CopyKind
	/** `path`: its database; `changed`: call after each change, with the GUID when only one row changed. */
	open(to: {connection: string; path: string; changed(guid?: string | null): void}): Open
	/** Increases with each change. Default: pages get no revisions. */
	revision?: (copy: Open) => number
	/** Number of records, where counted. */
	records?: (copy: Open) => number
	/** Automatic refresh while a console shows the connection. Default: read on request only. */
	refresh?: RefreshSpec<Open>
}

export interface RefreshSpec<Open> {
	/** Maximum age, in milliseconds. */
	readonly everyMs: number
	/** Delay at startup, in milliseconds: other copies come first. */
	readonly startMs?: number
	/** When it was last complete; ISO 8601, `null` for never. */
	readonly freshAt: (copy: Open) => string | null
	/** Whether it may use API calls now. */
	readonly affords?: (client: ApiClient, now: number) => boolean
	readonly run: (copy: Open, signal: AbortSignal) => Promise<unknown>
	/** Reported on failure. */
	readonly trouble: string
}

/** A replica as seen by the registry. */
export interface AnyReplica {
	readonly kind: CopyKind
	readonly folder: string
	/** The connections that have a copy, open or not. */
	ids(): readonly string[]
	/** 0 while closed or without revisions. */
	revision(connection: string): number
	/** `null` while closed or not counted. */
	records(connection: string): number | null
	/** Stops and deletes the copy of a connection that was removed or has another address now. */
	forget(connection: string): Promise<void>
	/** Refreshes the copies of these connections; `undefined` where they are read on request only. */
	keepFresh(shown: () => readonly string[]): Refresher | undefined
	stop(): Promise<void>
}

export interface Replica<Open extends Copy> extends AnyReplica {
	/** Opens it if needed. Throws `unknown_connection`, or the error of opening the file. */
	open(connection: string): Open
	/** Only if it is open. */
	opened(connection: string): Open | undefined
	/** Called with every copy opened from now on; the returned function is awaited before that copy is stopped. */
	attach(begin: (connection: Connection, copy: Open) => () => Promise<void>): void
}

export function makeReplica<Open extends Copy>(host: ReplicaHost, spec: ReplicaSpec<Open>): Replica<Open> {
	const open = new Map<string, {copy: Open; attached: readonly (() => Promise<void>)[]}>()
	const attaching: ((connection: Connection, copy: Open) => () => Promise<void>)[] = []
	const pathOf = (id: string) => copyPath(host.profile, spec.kind, id)
	const opened = (connection: string) => open.get(connection)?.copy
	const openNew = (found: Connection) => {
		const {id} = found
		if (host.worthless(found)) removeDatabase(pathOf(id))
		const changed = (guid?: string | null) =>
			host.bus.emit({kind: 'replica.changed', replica: spec.kind, connection: id, ...(typeof guid === 'string' && {guid})})
		const copy = spec.open({connection: id, path: pathOf(id), changed})
		open.set(id, {copy, attached: []})
		open.set(id, {copy, attached: attaching.map(begin => begin(found, copy))})
		return copy
	}
	const openOf = (connection: string) => {
		const found = host.connections.find(connection)
		return opened(found.id) ?? openNew(found)
	}
	const stopOne = async (id: string) => {
		const found = open.get(id)
		open.delete(id)
		await Promise.all(found?.attached.map(end => end()) ?? [])
		await found?.copy.stop()
	}
	return {
		kind: spec.kind,
		folder: folderOf(spec.kind),
		ids: () => [...open.keys(), ...copiedIn(host.profile, spec.kind)],
		open: openOf,
		opened,
		attach: begin => void attaching.push(begin),
		revision: connection => countOf(opened(connection), spec.revision) ?? 0,
		records: connection => countOf(opened(connection), spec.records),
		async forget(connection) {
			// A caller may have reopened it meanwhile. Nothing runs between the last check and the deletion.
			while (open.has(connection)) await stopOne(connection)
			removeDatabase(pathOf(connection))
		},
		keepFresh: shown => (spec.refresh === undefined ? undefined : keepFresh(host, spec.refresh, openOf, shown)),
		stop: async () => void (await Promise.all([...open.keys()].map(stopOne)))
	}
}

function countOf<Open>(copy: Open | undefined, count: ((copy: Open) => number) | undefined) {
	return copy === undefined || count === undefined ? null : count(copy)
}

function keepFresh<Open>(host: ReplicaHost, spec: RefreshSpec<Open>, open: (connection: string) => Open, shown: () => readonly string[]) {
	const {everyMs, startMs = 0} = spec
	let isFirst = startMs > 0
	/** Resolves with the milliseconds until the next look. */
	const look = async (connection: string, signal: AbortSignal) => {
		try {
			if (!affords(host, spec, connection)) return everyMs
			const copy = open(connection)
			const left = leftOf(spec.freshAt(copy), host.clock.now(), everyMs)
			if (left > 0) return left
			await spec.run(copy, signal)
		} catch (error) {
			if (!signal.aborted) host.onTrouble(spec.trouble, error)
		}
		return everyMs
	}
	return startLooking(host.clock, async signal => {
		if (isFirst) {
			isFirst = false
			return startMs
		}
		return Math.min(everyMs, ...(await Promise.all(shown().map(connection => look(connection, signal)))))
	})
}

function affords<Open>(host: ReplicaHost, spec: RefreshSpec<Open>, connection: string) {
	return spec.affords?.(host.connections.client(connection), host.clock.now()) ?? true
}

/** Milliseconds until the copy is too old; not positive when it is, or was never complete. A clock may have been set back. */
function leftOf(freshAt: string | null, now: number, everyMs: number) {
	return freshAt === null ? 0 : Math.min(Date.parse(freshAt) + everyMs - now, everyMs)
}

/** Always uses the connection's current client: a changed key or address makes a new one. */
export function currentClient(connections: Pick<Connections, 'client'>, connection: string): ApiClient {
	const now = () => connections.client(connection)
	return {
		call: async (request, options) => now().call(request, options),
		quota: () => now().quota(),
		link: () => now().link(),
		clockSkewMs: () => now().clockSkewMs(),
		onChange: listener => now().onChange(listener),
		// The connections own and stop it.
		stop: () => Promise.resolve()
	}
}

/** A periodic check while a console runs. */
export type Refresher = ReturnType<typeof startLooking>

/** Checks periodically; `look` resolves with the milliseconds until the next check. */
export function startLooking(clock: Clock, look: (signal: AbortSignal) => Promise<number>) {
	const ended = new AbortController()
	let pause = new AbortController()
	const loop = async () => {
		while (!ended.signal.aborted) {
			pause = new AbortController()
			const waitMs = await look(ended.signal)
			await rest(clock, waitMs, AbortSignal.any([ended.signal, pause.signal]))
		}
	}
	const running = loop()
	return {
		/** Checks now, because another connection became active or the computer slept. */
		trigger: () => pause.abort(),
		async stop() {
			ended.abort()
			await running
		}
	}
}

async function rest(clock: Clock, ms: number, signal: AbortSignal) {
	try {
		const now = clock.now()
		await waitUntilDue(clock, {since: now, due: now + ms}, signal)
	} catch {
		// Stopped or triggered: the loop checks again.
	}
}
