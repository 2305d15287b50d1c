import {type QuotaState, whoWaits} from '#model/frame.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {formatCountdown} from '#text/durations.ts'
import {t} from './text.ts'

export interface QuotaView {
	kind: 'waiting' | 'renewed' | 'low' | 'normal'
	text: string
	short: string
	/** Shares of the bar from 0 to 1: calls left for general use, and the reserve at its end. */
	left: number
	reserve: number
	reserveLeft: number
	/** How releases, jobs and others use the API limit, in sentences; may be empty. */
	more: string
}

/** `now` in milliseconds since 1970. */
export function viewQuota(quota: QuotaState, now: number): QuotaView {
	const {limit, remaining, reserve} = quota
	const whole = Math.max(1, limit)
	const renewed = Date.parse(quota.resetAt) <= now
	const left = renewed ? limit : remaining
	const shares = {
		left: Math.max(0, left - reserve) / whole,
		reserve: reserve / whole,
		reserveLeft: Math.min(left, reserve) / whole,
		more: renewed ? '' : moreWords(quota)
	}
	const who = whoWaits(quota)
	if (who !== 'programs' && quota.waitingUntil !== null && Date.parse(quota.waitingUntil) > now) {
		const wait = formatCountdown(Date.parse(quota.waitingUntil) - now)
		const calls = counted(quota.waiting, ['call waits', 'calls wait'])
		return who === 'background'
			? {kind: 'waiting', text: `${calls} for jobs · ${wait} at most`, short: 'waits for jobs', ...shares}
			: {kind: 'waiting', text: `${calls} · resumes in ${wait}`, short: `resumes in ${wait}`, ...shares}
	}
	if (renewed) {
		return {kind: 'renewed', text: `${counted(limit, nouns.call)} an hour · renewed`, short: 'renewed', ...shares}
	}
	const short = `${counted(remaining, nouns.call)} left`
	const text = `${formatCount(remaining)} of ${counted(limit, nouns.call)} left · resets in ${formatCountdown(Date.parse(quota.resetAt) - now)}`
	return {kind: remaining <= reserve * 2 ? 'low' : 'normal', text, short, ...shares}
}

function moreWords(quota: QuotaState) {
	const {remaining, waitingUntil, reserved, others} = quota
	const still = waitingUntil === null || remaining === 0 ? [] : [whoWaits(quota) === 'programs' ? t.programsWait : t.releasesStill]
	const jobs = reserved === 0 ? [] : [`Jobs have set aside ${counted(reserved, nouns.call)}.`]
	const since = others?.since.slice(11, 16) ?? ''
	const rest = others === null ? [] : [`Others used ${counted(others.calls, nouns.call)} with the same key since ${since} UTC.`]
	return [...still, ...jobs, ...rest].join(' ')
}
