/** One value of one argument: its format, its sent form, and the fix when invalid. */
import {invalidArgument} from '../contract/errors.ts'
import {isGuid, isIpv4, isIso8601, isSha256, normalGuid, normalSha256} from '../model/formats.ts'
import type {ArgKind, ArgSpec} from './define.ts'
import {suggest} from './nearest.ts'

/** Either the value to send, or its problem and fix, as the end of a sentence that starts with its name. */
type CheckedValue = {value: string} | {problem: string; fix: string}

type Check = (text: string, spec: ArgSpec) => CheckedValue

const hexDigits = /^[0-9a-f]+$/i
const plainInteger = /^(?:0|-?[1-9]\d*)$/
const unlockCodeLength = 24

/** Checks one text against its declaration. Surrounding blanks are ignored, except in text and codes. */
export function checkValue(text: string, spec: ArgSpec): CheckedValue {
	if (text.trim() === '') return wrong('is empty', 'give a value, or leave the argument out')
	return checks[spec.kind](text, spec)
}

const checks: Readonly<Record<ArgKind, Check>> = {
	guid: text => checkGuid(text.trim()),
	sha256: text => checkSha256(text.trim()),
	ipv4: text => checkIpv4(text.trim()),
	integer: (text, spec) => checkInteger(text.trim(), spec),
	text: text => ({value: text}),
	date_time: text => checkDateTime(text.trim()),
	choice: (text, spec) => checkChoice(text.trim(), spec.choices ?? []),
	unlock_code: checkUnlockCode
}

function checkGuid(text: string): CheckedValue {
	if (isGuid(text)) return {value: normalGuid(text)}
	return wrong(`${shown(text)} is not a GUID`, 'write 8-4-4-4-12 hexadecimal digits, such as d7fbcdb6-0a14-4e39-867e-02f5e1649497')
}

function checkSha256(text: string): CheckedValue {
	if (isSha256(text)) return {value: normalSha256(text)}
	const fix = 'give the SHA-256: 64 hexadecimal digits'
	if (hexDigits.test(text) && text.length === 32) return wrong('looks like an MD5 (32 digits), and only a SHA-256 is accepted', fix)
	if (hexDigits.test(text) && text.length === 40) return wrong('looks like a SHA-1 (40 digits), and only a SHA-256 is accepted', fix)
	if (hexDigits.test(text)) return wrong(`has ${text.length} hexadecimal digits instead of 64`, fix)
	return wrong(`${shown(text)} is not a SHA-256`, fix)
}

function checkIpv4(text: string): CheckedValue {
	if (isIpv4(text)) return {value: text}
	if (text.includes('/'))
		return wrong(`${shown(text)} is a range, and the service takes single addresses`, 'give one address, such as 10.20.4.14')
	if (text.includes(':'))
		return wrong(`${shown(text)} is not an IPv4 address`, 'IPv6 and ports are not accepted: give four numbers, such as 10.20.4.14')
	return wrong(`${shown(text)} is not an IPv4 address`, 'write four numbers from 0 to 255 without leading zeros, such as 10.20.4.14')
}

function checkInteger(text: string, {min = 0, max = Number.MAX_SAFE_INTEGER}: ArgSpec): CheckedValue {
	const range = `write a whole number from ${min} to ${max} in plain digits`
	if (!plainInteger.test(text)) return wrong(`${shown(text)} is not a whole number`, range)
	// A number beyond 2^53 is out of every range here, so rounding hides nothing.
	const value = Number(text)
	return value >= min && value <= max ? {value: text} : wrong(`${shown(text)} is out of range`, range)
}

/** Throws `invalid_argument`. */
export function wholeIn(text: string, name: string, min: number, max: number): number {
	const digits = text.trim()
	if (plainInteger.test(digits) && Number(digits) >= min && Number(digits) <= max) return Number(digits)
	throw invalidArgument(`${name} is a whole number from ${min} to ${max}.`, name)
}

function checkDateTime(text: string): CheckedValue {
	if (isIso8601(text)) return {value: text}
	return wrong(`${shown(text)} is not an ISO 8601 time`, 'write it like 2026-01-31 or 2026-01-31T08:00:00Z')
}

function checkChoice(text: string, choices: readonly string[]): CheckedValue {
	const exact = choices.find(choice => choice === text.toLowerCase())
	if (exact !== undefined) return {value: exact}
	return wrong(`${shown(text)} is not one of the choices`, suggest(text, choices, `use one of ${choices.join(', ')}`))
}

/** The code never appears in a message. */
function checkUnlockCode(text: string): CheckedValue {
	if (/\s/.test(text))
		return wrong('holds spaces', `use at most ${unlockCodeLength} characters without spaces, or leave it out and the service makes one`)
	// A repeated masked line must never set the mask as the code.
	if (/^•+$/.test(text)) return wrong('is the mask that stands for a code', 'type the code itself, or leave it out')
	if (text.length <= unlockCodeLength) return {value: text}
	return wrong(`has ${text.length} characters`, `use at most ${unlockCodeLength}, or leave it out and the service makes one`)
}

function shown(text: string) {
	return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`
}

function wrong(problem: string, fix: string): CheckedValue {
	return {problem, fix}
}
