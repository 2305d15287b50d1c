import {type Approval, type ApprovalAnswer, approvalStates, type ApprovalState, mostEnded} from '#model/approval.ts'

import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'

export interface Row {
	readonly id: string
	readonly state: ApprovalState
	readonly body: string
	readonly request: string
	readonly outcome: string | null
	readonly used_by: string | null
}

interface Body {
	approval: Approval
	content: unknown
}

interface Dependencies {
	database: Database
	random(bytes: number): Uint8Array
	note: (entry: NewEntry) => void
}

const waits = "state IN ('pending', 'approved')"
/** Neither claimed nor ended. */
const open = `used_by IS NULL AND ${waits}`

export type Rows = ReturnType<typeof openRows>

export function openRows({database, random, note}: Dependencies) {
	const written = (entry: NewEntry | null, work: () => unknown) =>
		database.transaction(
			() => {
				if (work() !== 0 && entry !== null) note(entry)
			},
			{durable: true}
		)
	const find = (id: string) => database.get<Row>('SELECT * FROM approval WHERE id = ?', id)
	const keep = (subject: Pick<Approval, 'id' | 'digest'>, answer: ApprovalAnswer, entry: NewEntry) =>
		written(entry, () => {
			const values = [subject.id, answer.key ?? '', subject.digest, JSON.stringify(answer)]
			database.run('INSERT OR REPLACE INTO approval_answer (approval, key, digest, answer) VALUES (?, ?, ?, ?)', ...values)
		})
	return {
		find,
		profile: () => {
			const made = Buffer.from(random(16)).toString('hex')
			database.run('INSERT OR IGNORE INTO profile_identity (one, id) VALUES (1, ?)', made)
			return database.get<{id: string}>('SELECT id FROM profile_identity')?.id ?? made
		},
		/** Those that wait, and the newest that ended. */
		all: (states: readonly ApprovalState[] = approvalStates): readonly Row[] =>
			database.all<Row>(
				`SELECT * FROM approval WHERE state IN (SELECT value FROM json_each(?)) AND (${waits}
           OR number IN (SELECT number FROM approval WHERE NOT ${waits} ORDER BY number DESC LIMIT ?))
         ORDER BY ${waits} DESC, number DESC`,
				...[JSON.stringify(states), mostEnded]
			),
		/** Other content under the same ID replaces an approval that was not carried out. */
		insert: (approval: Approval, content: unknown, request: unknown, entry: NewEntry) =>
			written(entry, () => {
				const body: Body = {approval, content}
				const values = [approval.id, approval.state, approval.expiresAt, JSON.stringify(body), JSON.stringify(request)]
				database.run(`DELETE FROM approval WHERE id = ? AND used_by IS NULL`, approval.id)
				database.run('INSERT INTO approval (id, state, expires_at, body, request) VALUES (?, ?, ?, ?, ?)', ...values)
			}),
		read: ({state, body, outcome}: Row): Approval => {
			// Written by `insert`.
			const {approval} = JSON.parse(body) as Body
			const {id, digest} = approval
			const rows = database.all<{answer: string}>('SELECT answer FROM approval_answer WHERE approval = ? AND digest = ?', ...[id, digest])
			return {...approval, state, outcome, answers: rows.map(({answer}) => JSON.parse(answer) as ApprovalAnswer)}
		},
		contentOf: (id: string): unknown => (JSON.parse(find(id)?.body ?? '{}') as Partial<Body>).content ?? null,
		/** It counts once an approval with this digest is requested. */
		keep,
		set: (id: string, state: ApprovalState, outcome: string | null, entry: NewEntry | null, unclaimed = false, process: string | null = null) =>
			written(entry, () => {
				const sql = `UPDATE approval SET state = ?, outcome = coalesce(?, outcome), process = ? WHERE id = ?${unclaimed ? ` AND ${open}` : ''}`
				return database.run(sql, state, outcome, process, id).changes
			}),
		/** What a process claimed or withdrew and did not end. */
		left: () => database.all<Row & {process: string}>('SELECT * FROM approval WHERE process IS NOT NULL'),
		/** A claimed one is offered again. */
		free: (id: string, process: string) => {
			const offered = "process = NULL, used_by = NULL, state = iif(state = 'used', 'approved', state)"
			database.run(`UPDATE approval SET ${offered} WHERE id = ? AND process = ?`, id, process)
		},
		/** Whether this process was first. */
		claim: (id: string, by: string, process: string | null) =>
			database.transaction(
				() =>
					database.run(`UPDATE approval SET state = 'used', used_by = ?, process = ? WHERE id = ? AND ${open}`, by, process, id).changes === 1,
				{durable: true}
			)
	}
}
