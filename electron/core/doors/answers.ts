/** Answers by Idempotency-Key: a request is carried out once and gets the same answer for 24 hours, also after restarts. */
import {CordonError, reportError, invalidArgument, hasCode} from '#contract/errors.ts'

import {digestOfJson} from '#base/canonical.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'

export interface Answer {
	readonly status: number
	readonly headers: Readonly<Record<string, string>>
	/** JSON. */
	readonly body: string
}

export interface Answers {
	/** Besides the token, the key is bound to `request`. */
	once(token: string, key: string, request: unknown, work: () => Promise<Answer>): Promise<Answer>
}

interface Row {
	readonly fingerprint: string
	readonly owner: string
	readonly status: number | null
	readonly headers: string | null
	readonly body: string | null
}

const keptMs = 86_400_000
const longestKey = 255
const unknown = 502

/** `owner` is this process: work left by another one has an unknown outcome. */
export function openAnswers(database: Database, clock: Clock, owner: string): Answers {
	return {
		once: async (token, key, request, work) => {
			if (key === '' || key.length > longestKey)
				throw invalidArgument(`Idempotency-Key has 1 to ${longestKey} characters.`, 'Idempotency-Key')
			const fingerprint = digestOfJson(request)
			const kept = begin(database, {token, key, fingerprint, owner, now: clock.now()})
			if (kept !== undefined) return replay(kept, fingerprint, owner)
			const end = (answer: Answer) =>
				void database.run(
					'UPDATE api_answer SET status = ?, headers = ?, body = ? WHERE token = ? AND key = ?',
					...[answer.status, JSON.stringify(answer.headers), answer.body, token, key],
				)
			try {
				const answer = await work()
				end(answer)
				return answer
			} catch (error) {
				// A refused request was not carried out; the same key may be used again.
				if (hasCode(error, 'outcome_unknown')) end({status: unknown, headers: {}, body: JSON.stringify(reportError(error))})
				else database.run('DELETE FROM api_answer WHERE token = ? AND key = ?', token, key)
				throw error
			}
		},
	}
}

interface Begun {
	readonly token: string
	readonly key: string
	readonly fingerprint: string
	readonly owner: string
	readonly now: number
}

/** Written to disk before the work begins. Returns the existing row, else `undefined`. */
function begin(database: Database, {token, key, fingerprint, owner, now}: Begun): Row | undefined {
	return database.transaction(
		() => {
			database.run('DELETE FROM api_answer WHERE at < ?', now - keptMs)
			const kept = database.get<Row>(
				'SELECT fingerprint, owner, status, headers, body FROM api_answer WHERE token = ? AND key = ?',
				...[token, key],
			)
			if (kept !== undefined) return kept
			database.run(
				'INSERT INTO api_answer (token, key, fingerprint, owner, at) VALUES (?, ?, ?, ?, ?)',
				...[token, key, fingerprint, owner, now],
			)
			return undefined
		},
		{durable: true},
	)
}

function replay({status, headers, body, ...row}: Row, fingerprint: string, owner: string): Answer {
	if (row.fingerprint !== fingerprint) throw new CordonError('key_reused', undefined, {field: 'Idempotency-Key'})
	if (status === null && row.owner === owner)
		throw new CordonError('busy', 'The request with this Idempotency-Key is still under way.')
	if (status === null)
		throw new CordonError('outcome_unknown', 'Cordon ended during the request with this Idempotency-Key. Look at the state.')
	if (status === unknown) throw new CordonError('outcome_unknown')
	return {status, headers: {...(JSON.parse(headers ?? '{}') as Answer['headers']), 'idempotency-replayed': 'true'}, body: body ?? ''}
}
