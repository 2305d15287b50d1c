/** Answers by Idempotency-Key: a request is carried out once and gets the same answer for 24 hours, also after restarts. */
import {CordonError, reportError, invalidArgument, hasCode} from '#contract/errors.ts'

import {digestOfJson} from '#base/canonical.ts'
import type {Clock} from '#base/ports.ts'
import type {Database, Param} from '#core/store/database.ts'

export interface Answer {
	readonly status: number
	readonly headers: Readonly<Record<string, string>>
	/** JSON. */
	readonly body: string
}

export type Answers = ReturnType<typeof openAnswers>

interface Row {
	fingerprint: string
	status: number | null
	headers: string | null
	body: string | null
}

const keptMs = 86_400_000
const longestKey = 255
const unknown = 502

/** Work that is not under way here and left no answer has an unknown outcome. */
export function openAnswers(database: Database, clock: Clock) {
	const underWay = new Set<string>()
	return {
		/** Besides the token, the key is bound to `request`. */
		once: async (token: string, key: string, request: unknown, work: () => Promise<Answer>) => {
			if (key === '' || key.length > longestKey) throw invalidArgument(`Idempotency-Key has 1 to ${longestKey} characters.`, 'Idempotency-Key')
			const fingerprint = digestOfJson(request)
			const kept = begin(database, {token, key, fingerprint, now: clock.now()})
			const mark = JSON.stringify([token, key])
			if (kept !== undefined) return replay(kept, fingerprint, underWay.has(mark))
			const write = (sql: string, ...values: Param[]) => {
				try {
					database.run(`${sql} WHERE token = ? AND key = ?`, ...values, token, key)
				} catch {
					// The row stays without an answer, and a retry is not carried out.
				}
			}
			const end = ({status, headers, body}: Answer) =>
				write('UPDATE api_answer SET status = ?, headers = ?, body = ?', status, JSON.stringify(headers), body)
			underWay.add(mark)
			try {
				const answer = await work()
				end(answer)
				return answer
			} catch (error) {
				// A refused request was not carried out; the same key may be used again.
				if (hasCode(error, 'outcome_unknown')) end({status: unknown, headers: {}, body: JSON.stringify(reportError(error))})
				else write('DELETE FROM api_answer')
				throw error
			} finally {
				underWay.delete(mark)
			}
		}
	}
}

interface Begun {
	token: string
	key: string
	fingerprint: string
	now: number
}

/** Written to disk before the work begins. Returns the existing row, else `undefined`. */
function begin(database: Database, {token, key, fingerprint, now}: Begun) {
	return database.transaction(
		() => {
			database.run('DELETE FROM api_answer WHERE at < ?', now - keptMs)
			const kept = database.get<Row>('SELECT fingerprint, status, headers, body FROM api_answer WHERE token = ? AND key = ?', ...[token, key])
			if (kept !== undefined) return kept
			database.run("INSERT INTO api_answer (token, key, fingerprint, owner, at) VALUES (?, ?, ?, '', ?)", ...[token, key, fingerprint, now])
			return undefined
		},
		{durable: true}
	)
}

function replay({status, headers, body, ...row}: Row, fingerprint: string, isUnderWay: boolean): Answer {
	if (row.fingerprint !== fingerprint) throw new CordonError('key_reused', undefined, {field: 'Idempotency-Key'})
	if (status === null && isUnderWay) throw new CordonError('busy', 'The request with this Idempotency-Key is still under way.')
	if (status === null) throw new CordonError('outcome_unknown', 'No answer to the request with this Idempotency-Key was kept. Look at the state.')
	if (status === unknown) throw new CordonError('outcome_unknown')
	return {status, headers: {...(JSON.parse(headers ?? '{}') as Answer['headers']), 'idempotency-replayed': 'true'}, body: body ?? ''}
}
