/**
 * How long the log was, kept outside of it: a log that was cut, emptied or replaced fits together in itself, and only
 * somebody who remembers its end can tell. What is kept may lag behind the log, and never leads it.
 */
import type {BrokenAt} from '#contract/local.ts'

import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import type {Anchor, LogAnchors} from './types.ts'

/** How often a console holds the end, in milliseconds; every process does so at its own end. */
export const anchorEveryMs = 60_000

/** In `profile.db`. `within` gives the database, or `undefined` where there is none yet. */
export function anchorsIn(within: <T>(work: (database: Database) => T) => T | undefined): LogAnchors {
	return {
		read: () => within(database => database.get<Anchor>('SELECT seq, hash, at FROM log_anchor')) ?? undefined,
		write: ({seq, hash, at}) =>
			void within(database =>
				database.run(
					`INSERT INTO log_anchor (one, seq, hash, at) VALUES (1, ?, ?, ?)
           ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at
           WHERE excluded.seq > log_anchor.seq`,
					...[seq, hash, at]
				)
			),
		drop: () => void within(database => database.run('DELETE FROM log_anchor'))
	}
}

/** Read from the disk, so that the anchor holds nothing that is not there. */
interface Links {
	head(): Promise<{seq: number; hash: string} | null>
	hashAt(seq: number): Promise<string | null>
}

/** A log without the remembered end is never accepted: it waits for a person. */
export function keepAnchor(anchors: LogAnchors, clock: Clock, {head, hashAt}: Links) {
	let isBehind = false
	let heldAt = clock.monotonic()
	/** Writes what is not held yet. Never rejects: an entry that stands is not refused for it. */
	const hold = async () => {
		if (!isBehind) return
		;[isBehind, heldAt] = [false, clock.monotonic()]
		try {
			const kept = anchors.read()
			if (kept !== undefined && (await hashAt(kept.seq)) !== kept.hash) return
			const newest = await head()
			if (newest !== null) anchors.write({...newest, at: new Date(clock.now()).toISOString()})
		} catch {
			isBehind = true
		}
	}
	return {
		/** Something was appended. Resolves when what was due is held. */
		appended: async () => {
			isBehind = true
			if (clock.monotonic() - heldAt >= anchorEveryMs) await hold()
		},
		hold
	}
}

/** What the anchor says against a log whose chain holds: `hash` is that of the anchored entry as it is now. */
export function faultByAnchor(anchor: Anchor, checked: number, hash: string | null): BrokenAt | null {
	const kept = `on ${anchor.at.slice(0, 16).replace('T', ' ')} UTC it had ${anchor.seq} entries`
	const hint = 'the file was cut, emptied or replaced. Put it back; if you moved it away, run cordon log verify --begin-anew REASON'
	if (hash === null) return {seq: checked + 1, id: null, at: null, what: `the log was longer: ${kept}; ${hint}`}
	if (hash === anchor.hash) return null
	return {seq: anchor.seq, id: null, at: null, what: `it is not the entry that was there: ${kept}; ${hint}`}
}
