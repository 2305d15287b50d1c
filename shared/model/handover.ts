/** The shift handover: open work, and evidence. */
export interface HandoverLine {
	readonly text: string
	/** ISO 8601, since when or until when; `null` without such a time. */
	readonly at: string | null
	/** Path in the console; `null` without one. */
	readonly open: string | null
}

export const handoverParts = ['leases', 'pending', 'jobs', 'unknown', 'lasting', 'pinned', 'notes'] as const
export type HandoverPart = (typeof handoverParts)[number]

/** Heading of each part, and its text when empty. */
export const handoverWords: Readonly<Record<HandoverPart, readonly [title: string, none: string]>> = {
	leases: ['Active isolations', 'This profile has no active isolation.'],
	pending: ['Unconfirmed isolations and releases', 'No pending changes.'],
	jobs: ['Unfinished jobs', 'No unfinished jobs.'],
	unknown: ['Changes with unknown outcome', 'No unknown outcomes in the last 7 days.'],
	lasting: ['Changes that cannot be undone', 'No such changes.'],
	pinned: ['Evidence', 'No pinned entries.'],
	notes: ['Notes', 'No notes.']
}

export type Handover = Readonly<{
	at: string
	by: string
	connection: string
	incident: string | null
	/** Start of the shift: evidence and notes are of this time, open work of any time. */
	since: string
	parts: Readonly<Record<HandoverPart, readonly HandoverLine[]>>
	/** Parts longer than listed, with their total number. */
	cut: Readonly<Partial<Record<HandoverPart, number>>>
}>

export const openParts = ['leases', 'pending', 'jobs', 'unknown'] as const

/** Includes what is not listed. */
export function openCount({parts, cut}: Handover) {
	return openParts.reduce((sum, part) => sum + (cut[part] ?? parts[part].length), 0)
}

/** More of one kind nobody reads in a handover: the rest is counted. */
export const mostOfAKind = 50
