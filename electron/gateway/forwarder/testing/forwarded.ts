import type {ForwardedRequest} from '../pipeline-parts.ts'
import {Routes} from '../route.ts'
import type {Peer, RequestHead} from '../message-types.ts'
import type {ForwarderConfig} from '../types.ts'
import {headOf, peer} from './heads.ts'

/** A head with these fields, and a Host. */
export function withFields(...fields: string[]): {head: Partial<RequestHead>} {
	return {head: {fields: ['Host', 'localhost', ...fields]}}
}

/** A request before it is sent to the instance. */
export function forwardedTo(
	config: ForwarderConfig,
	target: string,
	head: Partial<RequestHead> = {},
	more: Partial<ForwardedRequest> & {peer?: Peer} = {}
): ForwardedRequest {
	const whole = headOf(target, head)
	const decision = new Routes(config).decide(whole)
	if (decision.kind !== 'forward') throw new Error(`${target} is not forwarded`)
	return {head: whole, peer, decision, requestId: 'id-1', identity: [], ...more}
}

/** Values of a head by lower-case name; several of one name are joined by ` | `. */
export function valuesIn(head: string): Readonly<Record<string, string>> {
	const found: Record<string, string> = {}
	for (const line of head.split('\r\n').slice(1)) {
		const colon = line.indexOf(':')
		if (colon === -1) continue
		const name = line.slice(0, colon).toLowerCase()
		const value = line.slice(colon + 1).trim()
		found[name] = name in found ? `${found[name] ?? ''} | ${value}` : value
	}
	return found
}

export function pairs(fields: readonly string[]): Readonly<Record<string, string>> {
	let text = ''
	for (let at = 0; at < fields.length; at += 2) text += `\r\n${fields[at] ?? ''}: ${fields[at + 1] ?? ''}`
	return valuesIn(text)
}
