import {z} from 'zod'

/** Kinds of notifications (ux.md 3.0). */
export const noticeKinds = [
	'detections',
	'pending_too_long',
	'isolated_and_silent',
	'lease_ending',
	'job_finished',
	'approval_waits',
	'playbook_waits',
	'key_rejected',
	'forwarding',
	'automation',
	'target'
] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const noticeTitles: Readonly<Record<NoticeKind, string>> = {
	detections: 'A detection group was not stopped, or computers are compromised',
	pending_too_long: 'An isolation or release is overdue',
	isolated_and_silent: 'An isolated computer is offline',
	lease_ending: 'A lease expires soon or has expired',
	job_finished: 'A job ended while the window was not in front',
	approval_waits: 'A change or a playbook waits for approval',
	playbook_waits: 'A playbook run needs an answer or a retry',
	key_rejected: 'The API key is rejected',
	target: 'A target is not reached, or refused an entry',
	forwarding: 'The forwarding server failed, or an instance stays unhealthy',
	automation: 'A rule matched, or a schedule or rule could not start its playbook'
}

/** How soon somebody has to act, worst first; `know` is information, such as a success. */
export const urgencies = ['now', 'soon', 'know'] as const
export type Urgency = (typeof urgencies)[number]

/** Where whoever raises a notification says nothing else. */
export const usualUrgency: Readonly<Record<NoticeKind, Urgency>> = {
	detections: 'now',
	pending_too_long: 'now',
	isolated_and_silent: 'now',
	key_rejected: 'now',
	lease_ending: 'soon',
	job_finished: 'soon',
	approval_waits: 'soon',
	playbook_waits: 'now',
	target: 'soon',
	forwarding: 'soon',
	automation: 'soon'
}

/** One notification, newest first. Kept as long as the host runs. */
export type ShownNotice = Readonly<{
	id: string
	kind: NoticeKind
	at: string
	title: string
	body: string
	/** Path of its screen, with its tenant. */
	open: string | null
	/** Whether it reports a recovery. */
	recovered: boolean
	urgency: Urgency
	/** Whether somebody has seen it, on any page. */
	read: boolean
	/** Quiet hours, or disabled: only in the list. */
	quiet: boolean
	/** Its connection; `null` for this computer. */
	tenant: {id: string; name: string} | null
}>

/** `07:30`. */
export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 07:30')

/** Whether a clock time is in the quiet hours, which may span midnight; equal ends mean none. */
export function isQuiet(now: string, hours: {from: string; to: string} | null) {
	if (hours === null || hours.from === hours.to) return false
	const {from, to} = hours
	return from < to ? now >= from && now < to : now >= from || now < to
}

/** Whether somebody still has to look at it. */
export function needsAction({urgency, read}: Pick<ShownNotice, 'urgency' | 'read'>): boolean {
	return urgency !== 'know' && !read
}

/** Notifications of one tenant and urgency, newest first. */
interface NoticeGroup {
	tenant: ShownNotice['tenant']
	urgency: Urgency
	notices: readonly ShownNotice[]
}

/** By tenant, and within a tenant by urgency; the tenant with the worst unread ones first. `notices`: newest first. */
export function groupedNotices(notices: readonly ShownNotice[]): readonly NoticeGroup[] {
	const worst = (of: readonly ShownNotice[]) =>
		Math.min(...of.map(({urgency, read}) => urgencies.indexOf(urgency) + (read ? urgencies.length : 0)))
	const byTenant = [...Map.groupBy(notices, ({tenant}) => tenant?.id).values()].toSorted((one, other) => worst(one) - worst(other))
	return byTenant.flatMap(own =>
		urgencies.flatMap(urgency => {
			const found = own.filter(notice => notice.urgency === urgency)
			return found.length === 0 ? [] : [{tenant: found[0]?.tenant ?? null, urgency, notices: found}]
		})
	)
}
