/**
 * Reminds of expiring leases, begins the automatic release where asked to, and forgets what is over. One for each profile, in
 * the process that owns the console.
 */
import {foundOrNull} from '#contract/errors.ts'
import {isHeld} from '#model/isolation.ts'
import {leaseEndingNotice, leaseExpiredNotice} from '#text/isolation.ts'

import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {takeBack, type RaisedNotice} from '#core/service/settings/notices.ts'
import {breaths} from '#base/breaths.ts'
import type {Engine} from '#core/engine/engine.ts'
import {endsGone, endsOthers, releases, type LeaseReleaseOptions} from './lease-release.ts'
import type {KeptLease} from './leases.ts'
import {isLate, isTime, longestRetryMs, phaseOf} from './lease-words.ts'

interface LeaseKeeperOptions extends Omit<LeaseReleaseOptions, 'run'> {
	copy: (connection: string) => Pick<Inventory, 'row' | 'stateSince'> | undefined
	engine: Engine
	onTrouble: (message: string, error: unknown) => void
}

const tickMs = 15_000
/** A state read this long after the request is not left over from before the isolation. */
const settledMs = 600_000
/** Pause between readings of a state that no local data tell. */
const readAgainMs = 300_000

interface Keeping extends LeaseKeeperOptions {
	/** What takes back the reminder of a lease. */
	told: Map<string, () => void>
	release: (lease: KeptLease) => Promise<void>
	signal: AbortSignal
	/** Connections that gave no answer in this turn: they must not hold up the leases of others. */
	asked: Set<string>
}

export function startLeaseKeeper(given: LeaseKeeperOptions): {stop(): Promise<void>} {
	const stop = new AbortController()
	const {signal} = stop
	const options: Keeping = {...given, told: new Map(), release: releases(given.engine), signal, asked: new Set()}
	const loop = async () => {
		while (!signal.aborted) {
			await lookAt(options)
			await options.clock.sleep(tickMs, signal).catch(() => {})
		}
	}
	const running = loop()
	return {
		stop: async () => {
			stop.abort()
			await running
		}
	}
}

async function lookAt(options: Keeping) {
	await told(options, async () => {
		const breath = breaths()
		// Whoever answers slowly whether a lease holds keeps no release of another connection waiting.
		const all = options.leases.list().toSorted((one, other) => Number(one.state === 'asked') - Number(other.state === 'asked'))
		options.asked.clear()
		// Of leases that ended or were extended.
		takeBack(options.told, new Set(all.map(markOf)))
		for (const listed of all) {
			if (options.signal.aborted) return
			// One failing lease must not keep the others from expiring.
			await told(options, () => lookAtOne(options, listed))
			await breath()
		}
		await endOneMissing(options, all, breath)
	})
}

const markOf = ({connection, guid, endsAt}: KeptLease) => `${connection} ${guid} ${endsAt}`

async function lookAtOne(options: Keeping, listed: KeptLease) {
	const now = asOfNow(options, listed)
	if (now !== undefined) await keep(options, now.lease, now.client)
}

/** Looking after the earlier ones took a while. A connection missing here, such as another console's sandbox, is left alone. */
function asOfNow({leases, client: clientOf}: Keeping, listed: KeptLease) {
	const lease = leases.current(listed)
	const client = lease && clientOf(lease.connection)
	return client && {lease, client}
}

async function told({onTrouble, signal}: Keeping, work: () => Promise<void>) {
	try {
		await work()
	} catch (error) {
		if (!signal.aborted) onTrouble('Leases of isolations could not be looked after.', error)
	}
}

async function keep(options: Keeping, lease: KeptLease, client: ApiClient) {
	const {leases, clock, release} = options
	if (isOver(options, lease)) return leases.end(lease.connection, lease.guid, lease.intent)
	if (lease.state === 'asked') return await settle(options, lease, client)
	const phase = phaseOf(lease, clock.now())
	remind(options, lease, phase)
	if (lease.state === 'releasing' || (lease.auto && phase === 'over')) await release(lease)
	if (isManual(lease) && lease.attempts > 0 && !isMissing(options, lease)) leases.change(lease, {attempts: 0}, 'held')
}

const ended: ReadonlySet<unknown> = new Set(['not_isolated', 'unavailable'])

/** The computer is not isolated any more: that was read long enough after the request, or a release was seen. */
function isOver({copy}: LeaseKeeperOptions, {connection, guid, startedAt, state}: KeptLease) {
	const local = copy(connection)
	const row = local?.row(guid)
	if (row === undefined || !ended.has(row.isolation)) return false
	// What was read during the request may be all there is, hours later: it shows the state from before.
	if (state === 'releasing') return (local?.stateSince(guid) ?? '') > startedAt
	return Date.parse(row.isolationReadAt) > Date.parse(startedAt) + settledMs
}

/**
 * A deleted computer is never read as released: without an automatic release nothing else would end its lease. One reading a
 * turn, after all else: a service that does not answer must not hold up the leases of others.
 */
async function endOneMissing(options: Keeping, all: readonly KeptLease[], breath: () => Promise<void>) {
	for (const listed of all) {
		await breath()
		const now = isManual(listed) ? asOfNow(options, listed) : undefined
		if (now === undefined || !isManual(now.lease) || !isMissing(options, now.lease)) continue
		const found = await read(options, now.lease, now.client, longestRetryMs)
		if (found !== undefined) return await endMissing(options, now.lease, found?.status ?? null)
	}
}

const isManual = ({auto, state}: KeptLease) => !auto && state === 'held'

function isMissing({copy, clock}: Keeping, lease: KeptLease) {
	const row = copy(lease.connection)?.row(lease.guid)
	return row === undefined ? phaseOf(lease, clock.now()) === 'over' : row.vanishedAt !== null
}

async function endMissing(options: Keeping, lease: KeptLease, status: string | null) {
	const {leases, clock} = options
	const {connection, guid, startedAt, intent, attempts} = lease
	if (status === null && !(await endsGone(options, lease))) leases.change(lease, {attempts: attempts + 1}, 'held')
	if (ended.has(status) && clock.now() - Date.parse(startedAt) > settledMs) leases.end(connection, guid, intent)
}

/** `undefined`: it is not time to ask yet. `null`: the service does not know the computer. */
async function read({leases, clock, signal}: Keeping, lease: KeptLease, client: ApiClient, pauseMs: number) {
	const {guid, nextTryAt, state} = lease
	const now = clock.now()
	if (!isTime(nextTryAt, now)) return undefined
	leases.change(lease, {nextTryAt: new Date(now + pauseMs).toISOString(), attempts: 0}, state)
	const how = {signal, deadlineMs: 30_000, maxQuotaWaitMs: 0} as const
	return (await foundOrNull(getIsolation(client, {connector_guid: guid}, how)))?.data ?? null
}

/** The process was killed between intent and outcome, or the answer was lost; the log or the state tells what happened. */
async function settle(options: Keeping, lease: KeptLease, client: ApiClient) {
	const {leases, log, clock, copy} = options
	const {connection, guid, intent, startedAt} = lease
	const steps = new Set((await log.stepsOf([intent])).map(({kind}) => kind))
	if (steps.has('command.failed')) return leases.end(connection, guid, intent)
	const hold = () => void leases.change(lease, {state: 'held', nextTryAt: null}, 'asked')
	if (steps.has('command.succeeded')) return hold()
	const isOld = clock.now() - Date.parse(startedAt) > settledMs
	const row = copy(connection)?.row(guid)
	const isSeen = steps.size > 0 && row !== undefined && row.isolationReadAt > startedAt && isHeld(row.isolation)
	// Local data do not tell whose isolation it is, and those of a connection that is not shown may never be read again.
	if (!(isOld || isSeen) || !isTime(lease.nextTryAt, clock.now()) || options.asked.has(connection)) return
	options.asked.add(connection)
	const found = await read(options, lease, client, readAgainMs).catch((error: unknown) => {
		options.signal.throwIfAborted()
		if (!isSeen) throw error
		// A release reads whose isolation it is before it is sent.
		hold()
	})
	if (found === undefined) return
	// One that answers holds nobody up: hundreds of lost answers must not wait a turn each.
	options.asked.delete(connection)
	if (found === null || ended.has(found.status)) {
		if (isOld) leases.end(connection, guid, intent)
	} else if (isHeld(found.status) && !(await endsOthers(options, lease, found))) hold()
}

/** Reminds once before expiry, and again at expiry without automatic release, or when that is late. */
function remind({leases, notify, told, clock}: Keeping, lease: KeptLease, phase: string) {
	const mark = `${phase} ${lease.endsAt}`
	if (lease.reminded === mark || lease.endsAt === null || phase === 'running') return
	const isSent = lease.state === 'releasing' && lease.trouble === null
	if (phase === 'over' && lease.auto && (isSent || !isLate(lease.endsAt, clock.now()))) return
	if (!leases.change(lease, {reminded: mark})) return
	const at = `${lease.endsAt.slice(11, 16)} UTC`
	const common = {kind: 'lease_ending', open: `/computers/${lease.guid}`, connection: lease.connection} as const
	const say = (notice: Pick<RaisedNotice, 'title' | 'body' | 'urgency'>) => {
		told.get(markOf(lease))?.()
		const untell = notify({...common, ...notice})
		// A late automatic release is news also when it is over.
		if (phase === 'ending' || !lease.auto) told.set(markOf(lease), untell)
	}
	if (phase === 'ending') return say(leaseEndingNotice(lease, at))
	say({...leaseExpiredNotice(lease, at), urgency: 'now'})
}
