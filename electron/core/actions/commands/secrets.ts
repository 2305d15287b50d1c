/** Which arguments are secrets, and how logs and results show arguments. */
import type {CommandSpec} from '#shared/commands/define.ts'
import {maskedCode} from '#shared/commands/result.ts'

import {redactText} from '#base/redact.ts'

/** What an unlock code looks like (API reference, "Endpoint isolation"). */
const codeForm = /^\S{1,24}$/

type Args = Readonly<Record<string, unknown>>

export function secretArguments(spec: CommandSpec, args: Args): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) => (typeof value === 'string' && isSecret(spec, name, value) ? [value] : []))
}

export function codesIn(data: unknown): readonly string[] {
	const code = typeof data === 'object' && data !== null ? Reflect.get(data, 'unlock_code') : undefined
	return typeof code === 'string' ? [code] : []
}

/** Masks a code that is repeated in a comment, too. */
export function shownArguments(spec: CommandSpec, args: Args) {
	const secrets = secretArguments(spec, args)
	const shown = Object.entries(args).map(([name, value]) => [
		name,
		typeof value !== 'string' ? value : isSecret(spec, name, value) ? maskedCode : redactText(value, secrets)
	])
	return Object.fromEntries(shown) as Args // built from entries, which lose the key type
}

/**
 * A release carries its comment as `unlock_code`, which is readable; but the operator may type the code itself there, so a
 * text that could be one (no spaces, at most 24 characters) is treated as one.
 */
function isSecret(spec: CommandSpec, name: string, value: unknown) {
	if (spec.args[name]?.secret === true) return true
	return name === 'unlock_code' && typeof value === 'string' && codeForm.test(value)
}
