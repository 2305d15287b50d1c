/**
 * Reminds of expiring leases, releases automatically where asked to, and forgets what is over. One for each profile, in the
 * process that owns the console. It claims a release in `profile.db` and reads the state before it sends, so that a release
 * happens once, even if the process was killed in between.
 */
import type {LeaseState} from '#shared/model/lease.ts'
import {leaseEndingNotice, leaseExpiredNotice} from '#shared/text/isolation.ts'

import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventory} from '#core/replicas/computers/types.ts'
import type {RaisedNotice} from '#core/service/settings/notices.ts'
import type {Clock} from '#core/base/ports.ts'
import {hourMs, type KeptLease, type Leases} from './leases.ts'
import {isLate, phaseOf, releaseReason} from './lease-words.ts'
import {releaseCommand} from './receipt.ts'

interface ReleaseRequest {
	readonly name: string
	readonly args: {readonly connector_guid: string; readonly comment: string}
	readonly connection: string
	readonly surface: 'automation'
	readonly signal: AbortSignal
}

export interface LeaseKeeperOptions {
	readonly leases: Leases
	readonly clock: Clock
	readonly log: Pick<IncidentLog, 'about'>
	/** `undefined` while there is no such connection, as for a sandbox that does not run. */
	readonly client: (connection: string) => ApiClient | undefined
	readonly copy: (connection: string) => Pick<Inventory, 'row'> | undefined
	readonly run: (request: ReleaseRequest) => Promise<unknown>
	readonly notify: (notice: RaisedNotice) => void
	readonly onTrouble: (message: string, error: unknown) => void
}

const tickMs = 15_000
/** A state read this long after the request is not left over from before the isolation. */
const settledMs = 600_000
const tryAgainMs = [60_000, 120_000, 300_000, 900_000] as const

export function startLeaseKeeper(options: LeaseKeeperOptions): {stop(): Promise<void>} {
	const ended = new AbortController()
	const loop = async (): Promise<void> => {
		while (!ended.signal.aborted) {
			await lookAt(options, ended.signal)
			await options.clock.sleep(tickMs, ended.signal).catch(() => undefined)
		}
	}
	const running = loop()
	return {
		stop: async () => {
			ended.abort()
			await running
		},
	}
}

async function lookAt(options: LeaseKeeperOptions, signal: AbortSignal): Promise<void> {
	await told(options, signal, async () => {
		for (const listed of options.leases.list()) {
			if (signal.aborted) return
			// One failing lease must not keep the others from expiring.
			await told(options, signal, () => lookAtOne(options, listed, signal))
		}
	})
}

async function lookAtOne(options: LeaseKeeperOptions, listed: KeptLease, signal: AbortSignal): Promise<void> {
	// Releasing the earlier ones may have taken minutes.
	const lease = options.leases.current(listed)
	// A connection missing here, such as another console's sandbox, is left alone.
	if (lease !== undefined && options.client(lease.connection) !== undefined) await keep(options, lease, signal)
}

async function told({onTrouble}: LeaseKeeperOptions, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
	try {
		await work()
	} catch (error) {
		if (!signal.aborted) onTrouble('Leases of isolations could not be looked after.', error)
	}
}

async function keep(options: LeaseKeeperOptions, lease: KeptLease, signal: AbortSignal): Promise<void> {
	const {leases, clock} = options
	if (isOver(options, lease)) return leases.end(lease.connection, lease.guid, lease.intent)
	if (lease.state === 'asked') return await settle(options, lease)
	const phase = phaseOf(lease, clock.now())
	if (phase === 'running' && lease.state === 'held') return
	remind(options, lease, phase)
	if (isDue(lease, phase, clock.now())) await release(options, lease, signal)
}

function isDue({auto, state, nextTryAt}: KeptLease, phase: string, now: number): boolean {
	if (nextTryAt !== null && now < Date.parse(nextTryAt)) return false
	return state === 'releasing' || (auto && phase === 'over')
}

/** The computer is not isolated any more, and that was read long enough after the request. */
function isOver({copy}: LeaseKeeperOptions, {connection, guid, startedAt, state}: KeptLease): boolean {
	const row = copy(connection)?.row(guid)
	if (row === undefined || !['not_isolated', 'unavailable'].includes(row.isolation)) return false
	const since = state === 'releasing' ? 0 : settledMs
	return Date.parse(row.isolationReadAt) > Date.parse(startedAt) + since
}

/** The process was killed between intent and outcome; the log or the state tells what happened. */
async function settle({leases, log, clock, copy}: LeaseKeeperOptions, lease: KeptLease): Promise<void> {
	const entries = await log.about(lease.connection, lease.guid, 200)
	const outcome = entries.find(({about}) => about === lease.intent)
	if (outcome?.kind === 'command.failed') return leases.end(lease.connection, lease.guid, lease.intent)
	const isolated = ['isolated', 'pending_start'].includes(copy(lease.connection)?.row(lease.guid)?.isolation ?? '')
	const old = clock.now() - Date.parse(lease.startedAt) > settledMs
	if (outcome?.kind === 'command.succeeded' || (isolated && outcome !== undefined) || (isolated && old))
		leases.change(lease, {state: 'held'}, 'asked')
}

/** Reminds once before expiry, and again at expiry without automatic release. */
function remind({leases, notify, clock}: LeaseKeeperOptions, lease: KeptLease, phase: string): void {
	const mark = `${phase} ${lease.endsAt}`
	if (lease.reminded === mark || lease.endsAt === null || phase === 'running') return
	if (!leases.change(lease, {reminded: mark})) return
	const at = `${lease.endsAt.slice(11, 16)} UTC`
	const open = `/computers/${lease.guid}`
	if (phase === 'ending')
		return notify({kind: 'lease_ending', ...leaseEndingNotice(lease, at), open, connection: lease.connection})
	if (lease.auto && !isLate(lease.endsAt, clock.now())) return
	notify({kind: 'lease_ending', ...leaseExpiredNotice(lease, at), open, urgency: 'now', connection: lease.connection})
}

async function release(options: LeaseKeeperOptions, lease: KeptLease, signal: AbortSignal): Promise<void> {
	const {leases, clock, run} = options
	const nextTryAt = new Date(clock.now() + pauseAfter(lease.attempts)).toISOString()
	const claim = {state: 'releasing' as LeaseState, attempts: lease.attempts + 1, nextTryAt}
	if (!leases.change(lease, claim, lease.state)) return
	try {
		const state = await stateOf(options, lease, signal)
		if (state === 'not_isolated') return leases.end(lease.connection, lease.guid, lease.intent)
		if (state === 'pending_stop') return
		if (!hasEnded(leases.current(lease), clock.now()))
			// Somebody requested the release and the agent did not carry it out, or the lease was extended: the isolation
			// lasts.
			return void leases.change(lease, {state: 'held', nextTryAt: null, attempts: 0})
		await run({
			name: releaseCommand,
			args: {connector_guid: lease.guid, comment: releaseReason(lease, clock.now())},
			connection: lease.connection,
			surface: 'automation',
			signal,
		})
		leases.change(lease, {trouble: null})
	} catch (error) {
		if (signal.aborted) return
		const message = error instanceof Error ? error.message : String(error)
		leases.change(lease, {trouble: message})
	}
}

/** The reading may have taken half a minute, and others change leases too: `undefined` when it is another isolation by now. */
function hasEnded(lease: KeptLease | undefined, now: number): boolean {
	return lease?.auto === true && lease.endsAt !== null && now >= Date.parse(lease.endsAt)
}

function pauseAfter(attempts: number): number {
	return tryAgainMs[Math.min(attempts, tryAgainMs.length - 1)] ?? hourMs
}

async function stateOf({client}: LeaseKeeperOptions, lease: KeptLease, signal: AbortSignal): Promise<string> {
	const api = client(lease.connection)
	if (api === undefined) throw new Error('There is no such connection.')
	const options = {signal, purpose: 'release', deadlineMs: 30_000} as const
	const {data} = await getIsolation(api, {connector_guid: lease.guid}, options)
	return data.status
}
