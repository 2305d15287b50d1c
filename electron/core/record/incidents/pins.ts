/**
 * Evidence. A pin is an entry about another one and is taken back by a further entry; neither rewrites anything, so the
 * chain tells who kept what as evidence, when, and who let it go again.
 */
import {CordonError, invalidArgument} from '#contract/errors.ts'
import {isAboutEvidence, type LogEntry, type Pin} from '#model/incident.ts'

import type {Database} from '#core/store/database.ts'
import type {NewEntry, PinRequest} from './types.ts'

const notTakenBack = (id: string, seq: string) =>
	`NOT EXISTS (SELECT 1 FROM entry AS later WHERE later.about = ${id} AND later.kind = 'evidence.unpinned' AND later.seq > ${seq})`

/** Entries that are pinned now. A pin about no entry holds its evidence itself: what somebody did elsewhere. */
export const pinnedCondition = `(id IN (SELECT pin.about FROM entry AS pin
    WHERE pin.kind = 'evidence.pinned' AND pin.about IS NOT NULL AND ${notTakenBack('pin.about', 'pin.seq')})
  OR (kind = 'evidence.pinned' AND about IS NULL AND ${notTakenBack('entry.id', 'entry.seq')}))`

export interface PinRow {
	readonly about: string
	readonly at: string
	readonly operator: string
	readonly reason: string | null
}

const pinColumns = `coalesce(pin.about, pin.id) AS about, pin.at, pin.operator, pin.data ->> '$.reason' AS reason`

/** All pins that stand, oldest first. */
export const pinsSelect = `SELECT ${pinColumns} FROM entry AS pin
  WHERE pin.kind = 'evidence.pinned' AND ${notTakenBack('coalesce(pin.about, pin.id)', 'pin.seq')} ORDER BY pin.seq`

/** All that is pinned now, by the id of its entry; the newest pin of an entry counts. */
export function readPins(database: Database): ReadonlyMap<string, Pin> {
	return new Map(database.all<PinRow>(pinsSelect).map(row => [row.about, pinOf(row)]))
}

export function pinOf({about, at, operator, reason}: PinRow): Pin {
	return {about, at, by: operator, reason: reason ?? ''}
}

/**
 * The entry to add; `undefined` when it is so already. `hash` is the link of the chain that binds the entry: whoever reads the
 * pin elsewhere can tell that it is about this very entry. Throws `not_found`, or `invalid_argument` for what is no evidence.
 */
export function pinEntry(entry: LogEntry | undefined, request: PinRequest, isPinned: boolean, hash: string | null): NewEntry | undefined {
	const {id, pinned, surface, incident} = request
	if (entry === undefined) throw new CordonError('not_found', `The log has no entry ${id}.`, {field: 'entry'})
	if (isAboutEvidence(entry)) throw invalidArgument('A pin is not pinned itself: pin the entry that it is about.', 'entry')
	if (isPinned === pinned) return undefined
	const reason = request.reason.trim()
	return {
		kind: pinned ? 'evidence.pinned' : 'evidence.unpinned',
		surface,
		about: id,
		incident: entry.incident ?? incident,
		target: entry.target,
		connection: entry.connection,
		message: `${pinned ? 'Pinned as evidence' : 'No longer pinned'}: entry ${entry.seq}, ${entry.message}`,
		data: {reason, seq: entry.seq, hash}
	}
}
