/** What whoever comes next has to know: everything that is still open, and what was kept as evidence. */
export interface HandoverLine {
	readonly text: string
	/** ISO 8601, since when or until when; `null` where there is no such time. */
	readonly at: string | null
	/** Where it is shown in the console; `null` where it has no place. */
	readonly open: string | null
}

export const handoverParts = ['leases', 'pending', 'jobs', 'unknown', 'lasting', 'pinned', 'notes'] as const
export type HandoverPart = (typeof handoverParts)[number]

/** Heading of each part, and what stands there when it is empty. */
export const handoverWords: Readonly<Record<HandoverPart, readonly [title: string, none: string]>> = {
	leases: ['Active isolations', 'This profile has no active isolation.'],
	pending: ['Unconfirmed isolations and releases', 'No pending changes.'],
	jobs: ['Unfinished jobs', 'No unfinished jobs.'],
	unknown: ['Changes with unknown outcome', 'The outcome of every change is known.'],
	lasting: ['Changes that cannot be undone', 'No such changes.'],
	pinned: ['Evidence', 'No pinned entries.'],
	notes: ['Notes', 'No notes.'],
}

export interface Handover {
	readonly at: string
	readonly by: string
	readonly connection: string
	readonly incident: string | null
	/** The shift begins here: evidence and notes are of this time, what is open is open whenever it began. */
	readonly since: string
	readonly parts: Readonly<Record<HandoverPart, readonly HandoverLine[]>>
	/** Parts that are longer than what is listed here, with how many there are in all. */
	readonly cut: Readonly<Partial<Record<HandoverPart, number>>>
}

/** What needs attention, in a few words: "2 isolations, 1 job". */
export function openCount({parts}: Handover): number {
	return parts.leases.length + parts.pending.length + parts.jobs.length + parts.unknown.length
}
