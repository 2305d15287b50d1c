/** Isolation, its requests and its leases in sentences. */
import type {Isolation} from '../model/isolation.ts'
import type {Lease} from '../model/lease.ts'
import {formatDuration, formatHours} from './durations.ts'
import {showUnseen} from './foreign.ts'
import {counted, formatCount, type Forms} from './numbers.ts'

/** `FIN-LT-0231 is being isolated, requested by Kim; waiting for its agent.` */
export function stateSentence(label: string, isolation: Isolation) {
	return `${label} ${stateWords(isolation)}.`
}

/** Follows the name of the computer. */
export function stateWords({status, available, isolated_by: by}: Isolation) {
	switch (status) {
		case 'not_isolated':
			return available ? 'is not isolated' : 'is not isolated, and isolation is not available for it'
		case 'pending_start':
			return `is being isolated${requestedBy(by)}; waiting for its agent`
		case 'isolated':
			return `is isolated${byWords(by)}`
		case 'pending_stop':
			return 'is being released; waiting for its agent'
		default:
			return `is in the state "${status}", which Cordon does not know`
	}
}

/** ` by Kim`; empty if the service names nobody. */
export function byWords(by: string | null | undefined) {
	return by === undefined || by === null || by === '' ? '' : ` by ${by}`
}

/** `, requested by Kim`; empty if the service names nobody. */
export function requestedBy(by: string | null | undefined) {
	const who = byWords(by)
	return who === '' ? '' : `, requested${who}`
}

/** Only the state, as after "is": for comparisons. */
export function plainState(status: string) {
	const words: Readonly<Record<string, string>> = {
		not_isolated: 'not isolated',
		pending_start: 'being isolated',
		isolated: 'isolated',
		pending_stop: 'being released'
	}
	return words[status] ?? `in the state "${status}"`
}

/** A service may send no state, or one other than the four. */
export const stateMissing = 'The service named no isolation state for this computer.'
export function stateStrange(status: string) {
	return `The service named the isolation state "${status}", which Cordon does not know. The JSON tab shows what it sent.`
}

interface Confirmation {
	name: string
	action: 'isolate' | 'release'
	/** The observed state, one of the four. */
	state: string
	/** From the request to the confirming reading. */
	afterMs: number
}

/** The end of a request: `FIN-LT-0231 released; confirmed after 6 s.` */
export function confirmedSentence({name, action, state, afterMs}: Confirmation) {
	const done = action === 'isolate' ? 'isolated' : 'released'
	const after = formatDuration(afterMs)
	if (state === (action === 'isolate' ? 'isolated' : 'not_isolated')) return `${name} ${done}; confirmed after ${after}.`
	return `${name} was not ${done}. Its agent reported ${plainState(state)}, ${after} after the request.`
}

/** Isolations and releases that wait for their agents are counted together under a common name. */
export const pendingChange: Forms = ['pending change', 'pending changes']

/** `2 pending changes, 1 overdue`. */
export function pendingWords(pending: number, tooLong: number) {
	return `${counted(pending, pendingChange)}${tooLong === 0 ? '' : `, ${formatCount(tooLong)} overdue`}`
}

/** `24 hours`, `7 days`, `no expiry`. */
export function termWords(hours: number | null) {
	return hours === null ? 'no expiry' : formatHours(hours)
}

export const leaseText = {
	/** A console that was not running at the expiry releases at its next start. */
	autoRelease: 'Release automatically at expiry, or when Cordon next starts',
	noExpiry: 'No expiry. Release the computer manually.',
	/** Cordon was not running, did not reach the service, or changes were locked: the cause is not known. */
	late: 'Cordon could not release the computer at the expiry.'
} as const

/** What happens at a lease's expiry. */
export function leaseEnd(ends: boolean, auto: boolean) {
	if (!ends) return 'no expiry; release manually'
	return auto ? 'automatic release at expiry, or when Cordon next starts' : 'manual release; Cordon sends a reminder at expiry'
}

/** The notification an hour before the expiry. */
export function leaseEndingNotice({label, auto, holder}: Lease, at: string): {title: string; body: string} {
	const what = auto ? 'Cordon releases the computer then, or when it next starts.' : 'The computer stays isolated until someone releases it.'
	return {title: `The lease of ${label} expires at ${at}`, body: `${what} Owner: ${holder}.`}
}

/** The notification at the expiry: a reminder, or that the automatic release is late. */
export function leaseExpiredNotice({label, auto, holder, trouble}: Lease, at: string): {title: string; body: string} {
	const late = [leaseText.late, trouble ?? '', 'It keeps trying.'].filter(Boolean).join(' ')
	const what = auto ? late : `Release the computer, or set a new lease. Owner: ${holder}.`
	return {title: `The lease of ${label} expired at ${at}`, body: what}
}

/** The notification, and the log entry, of a lease whose computer was deleted. */
export function leaseGoneNotice(label: string): {title: string; body: string} {
	const body = 'The service has no such computer any more. If it is still isolated, release it at the computer with its unlock code.'
	return {title: `The lease of ${label} ended without a release`, body}
}

/** The notification, and the log entry, of a lease whose computer somebody else isolated meanwhile. */
export function leaseOthersNotice(label: string, by: Isolation['isolated_by']): {title: string; body: string} {
	const what = `The computer is isolated${byWords(by)}, with another comment than the isolation of this lease.`
	return {title: `The lease of ${label} ended: another isolation`, body: `${what} Cordon does not release the computer.`}
}

/** Marks in the comments of changes: the service's own record leads to our log. Searching the log for them finds the entry. */
export function logMark(entry: string) {
	return `(Cordon log ${entry.slice(-8)})`
}
export function jobMark(job: string) {
	return `(Cordon job ${job})`
}

/** The mark at the end of a comment. */
export function markIn(comment: string): string | undefined {
	return /\(Cordon (?:log|job) [^()]+\)$/.exec(comment.trim())?.[0]
}

/** The comment of an automatic release, for the service and the log. */
export function releaseComment(expiredAt: string, isLate: boolean) {
	return `Released by Cordon. The lease expired at ${expiredAt} UTC.${isLate ? ` ${leaseText.late}` : ''}`
}

/** What an isolated computer may reach besides the service: the lists of its policy, `null` if not loaded. */
export function reachWords(policy: {name: string; allowed: readonly string[] | null} | null) {
	if (policy === null || policy.allowed === null) return 'Its policy was not read: it may allow more than the service during isolation.'
	const {name, allowed} = policy
	if (allowed.length === 0) return `Its policy ${showUnseen(name)} allows nothing but the service during isolation.`
	return `Its policy ${showUnseen(name)} also allows during isolation: ${allowed.map(showUnseen).join(', ')}.`
}
