import type {ErrorReport} from '#contract/errors.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'

import type {Database} from '#core/store/database.ts'

const kinds = ['group', 'policy', 'list'] as const
export type Kind = (typeof kinds)[number]

export type JsonRecord = Readonly<Record<string, unknown>>

/** Times are Unix milliseconds. */
export type StoredObject = Readonly<{
	kind: Kind
	guid: string
	/** In a listing; other lists are only named by policies. */
	listed: boolean
	brief: JsonRecord
	briefAt: number
	detail: JsonRecord | null
	detailAt: number | null
	/** Later information contradicts the details. */
	stale: boolean
	problem: ErrorReport | null
	vanishedAt: number | null
}>

interface Row {
	kind: Kind
	guid: string
	listed: number
	brief: string
	brief_at: number
	detail: string | null
	detail_at: number | null
	stale: number
	problem: string | null
	vanished_at: number | null
}

/** Rows of `object`. Callers write within a transaction. An older reading never overwrites a newer one, unless that is ahead of now. */
export type Objects = ReturnType<typeof makeObjects>

export function makeObjects(database: Database, now: () => number) {
	const find = (kind: Kind, guid: string) => {
		const row = database.get<Row>('SELECT * FROM object WHERE kind = ? AND guid = ?', kind, guid.toLowerCase())
		return row === undefined ? undefined : stored(row)
	}
	return {
		find,
		isNewer: (at: number, known: number) => at >= known || known > now(),
		all: () => database.all<Row>('SELECT * FROM object').map(stored),
		/** A record of listing number `pass`, or `null` for one from another reading. */
		putBrief: (kind: Kind, brief: JsonRecord & {guid: string}, at: number, pass: number | null) => {
			database.run(
				`INSERT INTO object (kind, guid, listed, pass, brief, brief_at) VALUES (?, ?, 1, ?, ?, ?)
         ON CONFLICT DO UPDATE SET listed = 1, pass = coalesce(?, pass), vanished_at = NULL,
           brief = iif(excluded.brief_at >= brief_at OR brief_at > ?7, excluded.brief, brief),
           brief_at = max(iif(brief_at > ?7, 0, brief_at), excluded.brief_at), detail_at = iif(detail_at > ?7, 0, detail_at)`,
				...[kind, brief.guid.toLowerCase(), pass ?? 0, stringifyExact(brief), at, pass, now()]
			)
		},
		/** A reference in another record; it changes nothing that is known. */
		putNamed: (kind: Kind, brief: JsonRecord & {guid: string}, at: number) => {
			database.run(
				`INSERT INTO object (kind, guid, listed, pass, brief, brief_at) VALUES (?, ?, 0, 0, ?, ?)
         ON CONFLICT DO UPDATE SET brief = iif(listed = 0, excluded.brief, brief),
           vanished_at = iif(listed = 0, NULL, vanished_at)`,
				...[kind, brief.guid.toLowerCase(), stringifyExact(brief), at]
			)
		},
		putDetail: (kind: Kind, detail: JsonRecord & {guid: string}, at: number) => {
			const {policies: _policies, ...brief} = detail
			database.run(
				`INSERT INTO object (kind, guid, listed, pass, brief, brief_at, detail, detail_at) VALUES (?, ?, 0, 0, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET detail = excluded.detail, detail_at = excluded.detail_at, stale = 0, problem = NULL,
           vanished_at = NULL WHERE excluded.detail_at >= coalesce(detail_at, 0) OR detail_at > ?`,
				...[kind, detail.guid.toLowerCase(), stringifyExact(brief), at, stringifyExact(detail), at, now()]
			)
		},
		putProblem: (kind: Kind, guid: string, problem: ErrorReport | null) => {
			const text = problem === null ? null : JSON.stringify(problem)
			database.run('UPDATE object SET problem = ? WHERE kind = ? AND guid = ?', text, kind, guid.toLowerCase())
		},
		markStale: (kind: Kind, guid: string) => {
			database.run('UPDATE object SET stale = 1 WHERE kind = ? AND guid = ?', kind, guid.toLowerCase())
		},
		vanish: (kind: Kind, guid: string, at: number) => {
			database.run(
				'UPDATE object SET vanished_at = ?, problem = NULL WHERE kind = ? AND guid = ? AND vanished_at IS NULL',
				...[at, kind, guid.toLowerCase()]
			)
		},
		/** Marks objects missing from listing number `pass` as gone. `type` narrows lists. */
		vanishUnlisted: (kind: Kind, type: string | null, pass: number, at: number) => {
			database.run(
				`UPDATE object SET vanished_at = ? WHERE kind = ? AND listed = 1 AND pass <> ? AND vanished_at IS NULL
         AND (? IS NULL OR brief ->> '$.type' = ?)`,
				...[at, kind, pass, type, type]
			)
		},
		forgetGone: (before: number) => void database.run('DELETE FROM object WHERE vanished_at < ?', before)
	}
}

function stored(row: Row): StoredObject {
	return {
		kind: row.kind,
		guid: row.guid,
		listed: row.listed === 1,
		brief: recordOf(row.brief),
		briefAt: row.brief_at,
		detail: row.detail === null ? null : recordOf(row.detail),
		detailAt: row.detail_at,
		stale: row.stale === 1,
		problem: row.problem === null ? null : (JSON.parse(row.problem) as ErrorReport),
		vanishedAt: row.vanished_at
	}
}

function recordOf(text: string) {
	// Written from a checked record, which is an object.
	return parseExact(text) as JsonRecord
}
