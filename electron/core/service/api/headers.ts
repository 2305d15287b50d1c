import type {QuotaRecord} from './types.ts'

/** Headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export function headerOf(headers: Headers, name: string) {
	const value = headers[name]
	return typeof value === 'string' ? value : value?.[0]
}

/** Documentation and service spell them differently (API reference, "Rate limit"). */
function rateHeader(headers: Headers, name: 'limit' | 'remaining' | 'reset') {
	const text = headerOf(headers, `x-ratelimit-${name}`) ?? headerOf(headers, `x-rate-limit-${name}`)
	return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined
}

/** A window of the service lasts an hour; what claims to last longer than a day is no time, and no date could hold it. */
const longestResetSeconds = 86_400

/** Seconds until the window ends. */
export function resetSeconds(headers: Headers) {
	const seconds = rateHeader(headers, 'reset')
	return seconds === undefined ? undefined : Math.min(seconds, longestResetSeconds)
}

export function quotaOf(headers: Headers, at: number): QuotaRecord | undefined {
	const [limit, remaining, reset] = [rateHeader(headers, 'limit'), rateHeader(headers, 'remaining'), resetSeconds(headers)]
	if (limit === undefined || remaining === undefined || reset === undefined) return undefined
	return {limit, remaining, resetAt: at + reset * 1000, observedAt: at}
}

/** How far this computer is ahead of the `Date` header, which has whole seconds and was written about half-way. */
export function clockSkewOf(headers: Headers, at: number, durationMs: number) {
	const date = Date.parse(headerOf(headers, 'date') ?? '')
	// No clock of a service shows another year than these.
	return date > Date.UTC(2000) && date < Date.UTC(2100) ? Math.round(at - durationMs / 2 - (date + 500)) : undefined
}

/** The methods of an `Allow` header, upper case. */
export function allowOf(headers: Headers): readonly string[] {
	return (headerOf(headers, 'allow') ?? '').split(',').flatMap(method => method.trim().toUpperCase() || [])
}
