/** A person's changes to a lease. Each is in the incident log; what is not logged was not done. */
import {CordonError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {isHeld} from '#model/isolation.ts'
import type {LeaseTerm} from '#model/job.ts'
import type {Lease} from '#model/lease.ts'
import {leaseEnd, termWords} from '#text/isolation.ts'

import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {isOthers, type LeaseReleaseOptions} from './lease-release.ts'
import {hourMs, type KeptLease, type LeaseChange, type Leases} from './leases.ts'

export interface LeaseServices {
	leases: Leases
	/** Within the transaction that changes the lease. */
	note: (entry: NewEntry) => void
	clock: {now(): number}
	operator: string
}

interface LeaseSubject {
	connection: Pick<Connection, 'id' | 'name' | 'url'>
	guid: string
	label: string
}

/** A new length from now, for the isolation that is there now: it may be that of somebody else by now. */
export async function extend(
	services: LeaseServices & Pick<LeaseReleaseOptions, 'log' | 'client'>,
	subject: LeaseSubject,
	term: LeaseTerm
): Promise<Lease> {
	const {leases, clock, operator} = services
	const {guid, label} = subject
	const {id: connection} = subject.connection
	const known = leases.get(connection, guid)
	// At once: it must not expire while the service is asked.
	const set = setTerm(services, subject, term)
	const read = async () => {
		const client = known && services.client(connection)
		return client && (await getIsolation(client, {connector_guid: guid}, {deadlineMs: 5000, maxQuotaWaitMs: 0})).data
	}
	// What cannot be read now is as it was.
	const now = await read().catch(() => undefined)
	if (!known || !now || !isHeld(now.status) || !(await isOthers(services, known, now))) return set
	return leases.atomically(() => {
		const lease = leases.get(connection, guid)
		if (lease !== undefined && (lease.intent !== known.intent || lease.endsAt !== set.endsAt)) return shownLease(lease)
		const at = clock.now()
		// No earlier request of ours stands for it.
		leases.begin({connection, guid, label, intent: `lease-${at}`, term, holder: lease?.holder ?? operator, at})
		return current(services, subject)
	})
}

/** An isolation without a lease gets its first one. */
export function setTerm(services: LeaseServices, subject: LeaseSubject, term: LeaseTerm): Lease {
	const {leases, clock, operator: holder} = services
	const auto = term.auto && term.hours !== null
	const endsAt = term.hours === null ? null : new Date(clock.now() + term.hours * hourMs).toISOString()
	const until = endsAt === null ? '' : `, until ${endsAt.slice(0, 16).replace('T', ' ')} UTC`
	const how = leaseEnd(endsAt !== null, auto)
	const words = endsAt === null ? how : `${termWords(term.hours)}${until}; ${how}`
	return leases.atomically(() => {
		const known = leases.get(subject.connection.id, subject.guid)
		const [at, own] = [clock.now(), {...subject, connection: subject.connection.id}]
		// The isolation may have been requested elsewhere: no earlier request of ours stands for it.
		if (known === undefined) leases.begin({...own, intent: `lease-${at}`, term, holder, at})
		else change(services, subject, known, {endsAt, auto, reminded: null, trouble: null, attempts: 0, nextTryAt: null})
		append(services, subject, `Lease of ${subject.label}: ${words}.`, {endsAt, auto})
		return current(services, subject)
	})
}

export function handOver(services: LeaseServices, subject: LeaseSubject, {to, note}: {to: string; note: string}): Lease {
	const {leases} = services
	return leases.atomically(() => {
		const known = leases.get(subject.connection.id, subject.guid)
		if (known === undefined) throw new CordonError('not_found', `${subject.label} has no lease to hand over.`)
		const said = note === '' ? '' : ` ${note}`
		const message = `Lease of ${subject.label} handed over from ${known.holder} to ${to}.${said}`
		change(services, subject, known, {holder: to, note})
		append(services, subject, message, {from: known.holder, to, note})
		return current(services, subject)
	})
}

/** The keeper's own fields stay out. */
export function shownLease({reminded: _r, attempts: _a, nextTryAt: _n, ...lease}: KeptLease): Lease {
	return lease
}

function change({leases}: LeaseServices, {label}: LeaseSubject, lease: Lease, to: LeaseChange) {
	if (!leases.change(lease, to)) throw new CordonError('not_found', `${label} has no lease any more.`)
}

function current({leases}: LeaseServices, {connection, guid, label}: LeaseSubject) {
	const lease = leases.get(connection.id, guid)
	if (lease === undefined) throw new CordonError('not_found', `${label} no longer has a lease.`)
	return shownLease(lease)
}

function append(
	{note}: LeaseServices,
	{connection: {id, name, url}, guid, label}: LeaseSubject,
	message: string,
	data: NonNullable<NewEntry['data']>
) {
	const connection = {id, name, url}
	note({kind: 'lease.changed', surface: 'screen', message, connection, target: {guid, label}, data})
}
