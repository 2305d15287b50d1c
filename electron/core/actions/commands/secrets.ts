/** Which arguments are secrets, and how arguments are shown in the log and in results. */
import type {CommandSpec} from '#shared/commands/define.ts'
import {maskedCode} from '#shared/commands/result.ts'

import {redactText} from '#core/base/redact.ts'

/** What an unlock code looks like (API reference, "Endpoint isolation"). */
const codeForm = /^\S{1,24}$/

type Args = Readonly<Record<string, unknown>>

/** The texts that must not appear anywhere once the command runs. */
export function secretArguments(spec: CommandSpec, args: Args): readonly string[] {
	return Object.entries(args).flatMap(([name, value]) =>
		typeof value === 'string' && isSecret(spec, name, value) ? [value] : [],
	)
}

/** The unlock code in a state that the service reported. */
export function codesIn(data: unknown): readonly string[] {
	const code = typeof data === 'object' && data !== null ? Reflect.get(data, 'unlock_code') : undefined
	return typeof code === 'string' ? [code] : []
}

/** The arguments as they may be shown: a code that is repeated in a comment is masked there too. */
export function shownArguments(spec: CommandSpec, args: Args): Args {
	const secrets = secretArguments(spec, args)
	const shown = Object.entries(args).map(([name, value]) => [
		name,
		typeof value !== 'string' ? value : isSecret(spec, name, value) ? maskedCode : redactText(value, secrets),
	])
	return Object.fromEntries(shown) as Args // built from entries, which lose the key type
}

/**
 * At a release `unlock_code` is a comment, and readable; but somebody may well type the code itself there,
 * so a text that could be one (no spaces, at most 24 characters) is treated as one.
 */
function isSecret(spec: CommandSpec, name: string, value: unknown): boolean {
	if (spec.args[name]?.secret === true) return true
	return name === 'unlock_code' && typeof value === 'string' && codeForm.test(value)
}
