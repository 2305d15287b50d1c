import {hasCode, invalidArgument} from '#contract/errors.ts'
import {connectionInputSchema, type Connection, type ConnectionInput} from '#model/connection.ts'

import {checkServerUrl} from '../api/url.ts'
import {invalidField} from './input-fault.ts'
import {checkAuthorities, checkLogin, checkProxy} from './network-input.ts'

/** The name belongs to the embedded sandbox, so that no other connection can be mistaken for it. */
const reserved = 'sandbox'

export type CheckedInput = ConnectionInput & {proxy: string | null; ca: string | null}

/**
 * What may be stored: the address reduced to its origin, texts trimmed. Authorities that are `known` already may have ended.
 * Throws `invalid_argument` or `insecure_url` with `details.field`; no message repeats the key.
 */
export function checkInput(input: unknown, now: number, known: string | null = null): CheckedInput {
	const result = connectionInputSchema.safeParse(input)
	if (!result.success) throw problemOf(result.error.issues[0])
	const checked = result.data
	if (checked.name.toLowerCase() === reserved) throw invalidField('name', 'is reserved for the embedded sandbox')
	if (checked.clientId.includes(':')) throw invalidField('clientId', 'must not hold a colon')
	const url = checkAddress(checked.url)
	const proxy = checkProxy(checked.proxy ?? null, url)
	if (checked.proxyLogin) checkLogin(checked.proxyLogin, proxy)
	return {...checked, url, proxy, ca: checkAuthorities(checked.ca ?? null, now, known)}
}

/** Throws `invalid_argument`; names differ in more than case, so that the command line finds the right one. */
export function refuseDuplicate(name: string, id: string | undefined, others: readonly Connection[]) {
	const same = others.find(other => other.name.toLowerCase() === name.toLowerCase() && other.id !== id)
	if (same !== undefined) throw invalidField('name', `is taken: there is a connection ${same.name} already`)
}

/** `https://host[:port]` without anything behind it. */
export function checkAddress(text: string) {
	try {
		return checkServerUrl(text.trim()).origin
	} catch (error) {
		if (!hasCode(error, 'invalid_argument')) throw error
		throw invalidArgument(error.message.replace(/^url /, 'The server URL '), 'url')
	}
}

function problemOf(issue: {path: readonly PropertyKey[]; code: string; message: string} | undefined) {
	const field = String(issue?.path[0] ?? 'name')
	const ours = issue !== undefined && /^(?:is|has) /.test(issue.message)
	return invalidField(field, ours ? issue.message : 'is missing or cannot be used')
}
