/**
 * An automatic release as a run of the engine: one process at most carries it out, and its attempt is written down before
 * anything is sent. The state is read before each attempt, so that a release happens once, even if the process was killed.
 */
import {CordonError, hasCode, messageOf} from '#contract/errors.ts'
import {leaseGoneNotice, leaseOthersNotice} from '#text/isolation.ts'

import {releaseCommand, type Isolation} from '#model/isolation.ts'

import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Notices} from '#core/service/settings/notices.ts'
import type {Clock} from '#base/ports.ts'
import {RunTaken} from '#core/engine/ends.ts'
import type {Act, Outcome, Program, RunContext} from '#core/engine/types.ts'
import type {Engine} from '#core/engine/engine.ts'
import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import type {KeptLease, LeaseKey, Leases} from './leases.ts'
import {isTime, longestRetryMs, phaseOf, releaseReason} from './lease-words.ts'
import {markOf} from './receipt.ts'

interface ReleaseRequest {
	name: string
	args: {connector_guid: string; comment: string}
	connection: string
	surface: 'automation'
	signal: AbortSignal
}

export interface LeaseReleaseOptions {
	leases: Leases
	clock: Clock
	/** `undefined` while there is no such connection, as for a sandbox that does not run. */
	client: (connection: string) => ApiClient | undefined
	run: (request: ReleaseRequest) => Promise<unknown>
	connections: Pick<Connections, 'find'>
	log: Pick<IncidentLog, 'append' | 'entry' | 'matching' | 'stepsOf'>
	notify: Notices['raise']
}

type EndOptions = Omit<LeaseReleaseOptions, 'run'>

export const leaseReleaseKind = 'lease_release'
/** How often a run looks whether the next attempt is due. */
const lookMs = 15_000
const tryAgainMs = [60_000, 120_000, 300_000, longestRetryMs] as const

export function leaseReleaseProgram(options: LeaseReleaseOptions): Program {
	return {
		kind: leaseReleaseKind,
		version: 1,
		recover: ({subject}) => (options.client(subject ?? '') === undefined ? {kind: 'leave'} : {kind: 'go_on'}),
		run: async context => {
			for (;;) {
				if (isDue(options, subjectOf(context))) {
					const {phase, output} = await context.perform(attemptOf(options, subjectOf(context)))
					if (phase === 'done') return {output}
				}
				await context.rest(lookMs)
				context.halted.throwIfAborted()
			}
		}
	}
}

/** Begins the release of an expired lease, or goes on with the one that was begun: an isolation has one open run at most. */
export function releases(engine: Engine): (lease: KeptLease) => Promise<void> {
	const here = new Set<string>()
	return async lease => {
		const key = `lease ${lease.connection} ${lease.guid} ${lease.intent}`
		if (here.has(key)) return
		const run = await runOf(engine, lease, key)
		if (run === undefined) return
		here.add(key)
		const forget = () => void here.delete(key)
		engine.settled(run).then(forget, forget)
	}
}

/** `undefined`: another process has it. */
async function runOf(engine: Engine, lease: KeptLease, key: string, after = '') {
	const {connection, guid, label, intent} = lease
	try {
		return await engine.begin({
			kind: leaseReleaseKind,
			key: `${key}${after}`,
			title: `Release ${label}: its lease has expired`,
			startedBy: 'automation',
			subject: connection,
			definition: {connection, guid, intent} satisfies LeaseKey
		})
	} catch (error) {
		if (!(error instanceof RunTaken)) throw error
		const run = await engine.get(error.run)
		if (run === undefined) return undefined
		// The lease was extended meanwhile, or the run ended without a result, such as by a full disk.
		if (run.endedAt !== null) return await runOf(engine, lease, key, ` after ${run.id}`)
		const where = engine.whereIs(run)
		if (where === 'nowhere') await engine.resume(run.id)
		return where === 'elsewhere' ? undefined : run.id
	}
}

function subjectOf({definition}: RunContext) {
	// Written by `runOf`.
	return definition as LeaseKey
}

/** Also when there is nothing left to release: then the attempt says so. */
function isDue({leases, clock, client}: LeaseReleaseOptions, subject: LeaseKey) {
	if (client(subject.connection) === undefined) return false
	return isTime(leases.current(subject)?.nextTryAt ?? null, clock.now())
}

function attemptOf(options: LeaseReleaseOptions, subject: LeaseKey): Act {
	return {
		id: 'release',
		label: 'Release',
		act: ({signal}) => attempt(options, subject, signal),
		// An attempt reads the state before it sends: one that was cut off is simply made again.
		reconcile: () => Promise.resolve(again)
	}
}

const again: Outcome = {phase: 'not_done'}

function done(output: 'released' | 'held' | 'gone'): Outcome {
	return {phase: 'done', output}
}

async function attempt(options: LeaseReleaseOptions, subject: LeaseKey, signal: AbortSignal) {
	const {leases, clock} = options
	const lease = leases.current(subject)
	if (lease === undefined) return done('gone')
	if (lease.state !== 'releasing' && !hasEnded(lease, clock.now())) return done('held')
	const nextTryAt = new Date(clock.now() + pauseAfter(lease.attempts)).toISOString()
	if (!leases.change(lease, {state: 'releasing', attempts: lease.attempts + 1, nextTryAt}, lease.state)) return again
	try {
		return await readAndSend(options, lease, signal)
	} catch (error) {
		signal.throwIfAborted()
		const isMissing = hasCode(error, 'not_found')
		// What the service says beside it may differ each time.
		const trouble = isMissing ? new CordonError('not_found').message : messageOf(error)
		const attempts = isMissing && lease.trouble !== trouble ? 0 : lease.attempts
		leases.change(lease, {trouble, attempts: attempts + 1}, 'releasing')
		return isMissing && (await endsGone(options, {...lease, attempts})) ? done('gone') : again
	}
}

/** The service did not know the computer, after so many attempts: what stands between may answer so for a while. */
export async function endsGone(options: EndOptions, lease: KeptLease) {
	if (lease.attempts < tryAgainMs.length) return false
	await endTold(options, lease, leaseGoneNotice(lease.label))
	return true
}

/** Ends the lease where the isolation is somebody else's, and says whose it is. */
export async function endsOthers(options: EndOptions, lease: KeptLease, isolation: Isolation) {
	if (!(await isOthers(options, lease, isolation)) || options.leases.current(lease) === undefined) return false
	await endTold(options, lease, leaseOthersNotice(lease.label, isolation.isolated_by))
	return true
}

/**
 * Whether comment and name are neither this isolation's nor those of a release from here, however long ago that was, nor of another
 * isolation from here whose answer was lost as well. One that was accepted has a term of its own.
 */
export async function isOthers(
	{log}: Pick<LeaseReleaseOptions, 'log'>,
	{connection, guid, intent, startedAt}: KeptLease,
	{comment, isolated_by: by}: Isolation
) {
	const said = comment?.trim() ?? ''
	if (said === '') return false
	const own = await log.entry(intent)
	// A lease that was set by hand is for whatever isolation was there. Old ones carry our last request, from long before.
	if (own === undefined || Date.parse(startedAt) - Date.parse(own.at) > 60_000) return false
	const changes = await allEntries(log, {connection, target: guid, writesOnly: true, kinds: ['command.requested']})
	const marked = changes.filter(entry => said.includes(markOf(entry)))
	const steps = await log.stepsOf([...new Set([intent, ...marked.map(({id}) => id)])])
	const known = steps.filter(({kind}) => kind === 'command.succeeded' || kind === 'command.observed')
	// All attempts of a job have its mark: one that was accepted is enough.
	const told = new Set(marked.filter(({id}) => known.some(({about}) => about === id)).map(markOf))
	if (marked.some(one => one.id === intent || one.command === releaseCommand || !told.has(markOf(one)))) return false
	// A release from elsewhere that failed leaves its comment, and the name of who isolated.
	const accepted = known.find(({about}) => about === intent)
	return typeof by !== 'string' || by === '' || accepted?.data?.['by'] !== by
}

async function endTold({leases, connections, log, notify}: EndOptions, lease: KeptLease, notice: {title: string; body: string}) {
	const {connection, guid, label, intent} = lease
	const {id, name, url} = connections.find(connection)
	const entry = {kind: 'lease.changed', surface: 'automation', message: `${notice.title}. ${notice.body}`} as const
	await log.append({...entry, connection: {id, name, url}, target: {guid, label}})
	notify({kind: 'lease_ending', ...notice, open: `/computers/${guid}`, connection, urgency: 'now'})
	leases.end(connection, guid, intent)
}

async function readAndSend(options: LeaseReleaseOptions, lease: KeptLease, signal: AbortSignal) {
	const {leases, clock, run} = options
	const isolation = await read(options, lease, signal)
	if (isolation.status === 'not_isolated') {
		leases.end(lease.connection, lease.guid, lease.intent)
		return done('released')
	}
	if (isolation.status === 'pending_stop') {
		leases.change(lease, {trouble: null}, 'releasing')
		return again
	}
	if (!hasEnded(leases.current(lease), clock.now())) {
		// Somebody requested the release and the agent did not carry it out, or the lease was extended: the isolation lasts.
		leases.change(lease, {state: 'held', nextTryAt: null, attempts: 0})
		return done('held')
	}
	if (await endsOthers(options, lease, isolation)) return done('gone')
	await run({
		name: releaseCommand,
		args: {connector_guid: lease.guid, comment: releaseReason(lease, clock.now())},
		connection: lease.connection,
		surface: 'automation',
		signal
	})
	leases.change(lease, {trouble: null})
	return again
}

/** The reading may have taken half a minute, and others change leases too: `undefined` when it is another isolation by now. */
function hasEnded(lease: KeptLease | undefined, now: number) {
	return lease?.auto === true && phaseOf(lease, now) === 'over'
}

function pauseAfter(attempts: number) {
	return tryAgainMs[Math.min(attempts, tryAgainMs.length - 1)] ?? longestRetryMs
}

async function read({client}: LeaseReleaseOptions, lease: KeptLease, signal: AbortSignal) {
	const api = client(lease.connection)
	if (api === undefined) throw new Error('There is no such connection.')
	const options = {signal, purpose: 'release', deadlineMs: 30_000} as const
	const {data} = await getIsolation(api, {connector_guid: lease.guid}, options)
	return data
}
