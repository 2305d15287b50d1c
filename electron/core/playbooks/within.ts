/** The time-out of a step, which aborts its work. */
import {CordonError, hasCode} from '#contract/errors.ts'

import type {Clock} from '#base/ports.ts'
import type {Where} from './interpreter.ts'

export async function within(
	clock: Clock,
	where: Where,
	timeoutMs: number | undefined,
	work: (where: Where) => Promise<string>
): Promise<string> {
	if (timeoutMs === undefined || timeoutMs === 0) return await work(where)
	const late = new AbortController()
	const ended = new AbortController()
	clock.sleep(timeoutMs, ended.signal).then(
		() => late.abort(new CordonError('wait_timeout', `No result within ${timeoutMs / 1000} s.`)),
		() => {}
	)
	try {
		return await work({...where, signal: AbortSignal.any([where.signal, late.signal])})
	} catch (error) {
		const cut = late.signal.aborted && hasCode(error, 'cancelled')
		throw cut ? late.signal.reason : error
	} finally {
		ended.abort()
	}
}
