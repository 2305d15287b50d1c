import {invalidArgument} from '#contract/errors.ts'
import {isGuid, isIpv4, isIso8601, isSha256, normalGuid, normalSha256} from '#model/formats.ts'

/** Checks of arguments before anything is sent. Each throws `invalid_argument` with `details.field`. */

export function checkGuid(field: string, value: string) {
	if (!isGuid(value)) throw invalid(field, `must be a GUID such as d7fbcdb6-0a14-4e39-867e-02f5e1649497, not ${quote(value)}`)
	return normalGuid(value)
}

export function checkSha256(field: string, value: string) {
	if (!isSha256(value)) throw invalid(field, `must be a SHA-256 of 64 hexadecimal digits, not ${quote(value)}`)
	return normalSha256(value)
}

export function checkIpv4(field: string, value: string) {
	if (!isIpv4(value)) throw invalid(field, `must be an IPv4 address such as 10.20.4.14, not ${quote(value)}`)
	return value
}

export function checkIso8601(field: string, value: string) {
	if (!isIso8601(value)) throw invalid(field, `must be an ISO 8601 time such as 2026-01-31T08:00:00Z, not ${quote(value)}`)
	return value
}

export function checkInteger(field: string, value: number, min: number, max: number) {
	if (!Number.isInteger(value) || value < min || value > max) {
		throw invalid(field, `must be a whole number from ${min} to ${max}, not ${value}`)
	}
	return value
}

export function checkText(field: string, value: string) {
	if (value === '') throw invalid(field, 'is empty')
	if (!value.isWellFormed()) throw invalid(field, 'holds half a character and cannot be sent')
	return value
}

export function checkChoice(field: string, value: string, choices: readonly string[]) {
	if (!choices.includes(value)) throw invalid(field, `must be one of ${choices.join(', ')}, not ${quote(value)}`)
	return value
}

/** The service takes at most 24 characters without spaces (API reference, "Endpoint isolation"). The code is not repeated. */
export function checkUnlockCode(field: string, value: string) {
	checkText(field, value)
	if (value.length > 24) throw invalid(field, 'has more than 24 characters')
	if (/\s/.test(value)) throw invalid(field, 'must not contain spaces')
	return value
}

export function invalid(field: string, problem: string) {
	return invalidArgument(`${field} ${problem}.`, field)
}

function quote(value: string) {
	return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}
