/** Items that need action: listed for the pages, and sent to the system unless that is off or it is quiet hours. */
import type {Settings} from '#model/settings.ts'
import {isQuiet, type NoticeKind, type ShownNotice, urgencies, type Urgency, usualUrgency} from '#model/notice.ts'

import {timeOrderedId} from '#base/ids.ts'
import type {Clock, Notice} from '#base/ports.ts'

export interface RaisedNotice extends Notice {
	readonly kind: NoticeKind
	readonly recovered?: boolean | undefined
	/** Only in the list. */
	readonly isSilent?: boolean | undefined
	/** Default: that of its kind; a recovery is information. */
	readonly urgency?: Urgency | undefined
	/** Id of the connection that it is about. */
	readonly connection?: string | undefined
}

export type Notices = ReturnType<typeof createNotices>

interface NoticesOptions {
	clock: Clock
	random(bytes: number): Uint8Array
	settings: () => Settings
	/** Shows it outside of the window. */
	notify: (notice: Notice) => void
	nameOf: (connection: string) => string
	onChange: () => void
}

const kept = 100

/** Takes back what is not open any more, of notices by what they are about. */
export function takeBack(told: Map<string, () => void>, open: {has(key: string): boolean}) {
	for (const [key, untell] of told)
		if (!open.has(key)) {
			told.delete(key)
			untell()
		}
}

/** What was read makes room first, then what is least urgent; of these the oldest. */
function withRoom(all: readonly ShownNotice[]) {
	if (all.length <= kept) return all
	const rank = ({read, urgency}: ShownNotice) => (read ? 9 : urgencies.indexOf(urgency))
	const [leaving] = all.toReversed().toSorted((one, other) => rank(other) - rank(one))
	return all.filter(notice => notice !== leaving)
}

export function createNotices({clock, random, settings, notify, nameOf, onChange}: NoticesOptions) {
	let shown: readonly ShownNotice[] = []
	const dismiss = (id: string | null) => {
		shown = id === null ? [] : shown.filter(notice => notice.id !== id)
		onChange()
	}
	return {
		/** Returns what takes it back. */
		raise({kind, title, body, open: screen, connection, isSilent = false, ...raised}: RaisedNotice) {
			const {recovered = false, urgency = recovered ? 'know' : usualUrgency[kind]} = raised
			const now = clock.now()
			const {notify: isOn, notifyKinds, quietHours, timeZone} = settings()
			const quiet = isSilent || !isOn || !notifyKinds.includes(kind) || isQuiet(clockTime(now, timeZone), quietHours)
			const at = new Date(now).toISOString()
			const tenant = connection === undefined ? null : {id: connection, name: nameOf(connection)}
			const id = timeOrderedId(now, random)
			// The window that opens it may show another tenant.
			const open = screen !== null && tenant !== null ? `${screen}${screen.includes('?') ? '&' : '?'}tenant=${tenant.id}` : screen
			const notice = {id, kind, at, title, body, open, recovered, urgency, read: false, quiet, tenant}
			shown = withRoom([notice, ...shown])
			if (!quiet) notify({title, body: [body, tenant?.name ?? ''].filter(part => part !== '').join(' · '), open})
			onChange()
			return () => dismiss(id)
		},
		/** Newest first. */
		list: () => shown,
		/** Marks one as read, or with `null` all of them. */
		read(id: string | null) {
			shown = shown.map(notice => (id === null || notice.id === id ? {...notice, read: true} : notice))
			onChange()
		},
		/** One, or with `null` all of them. */
		dismiss
	}
}

function clockTime(now: number, zone: Settings['timeZone']) {
	const date = new Date(now)
	const [hours, minutes] = zone === 'utc' ? [date.getUTCHours(), date.getUTCMinutes()] : [date.getHours(), date.getMinutes()]
	return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
