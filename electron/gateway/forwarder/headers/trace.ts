import {randomUUID} from 'node:crypto'

import type {Fields} from '../message-types.ts'
import {only} from './lookup.ts'

const requestIdShape = /^[A-Za-z0-9._:+/=@~-]{1,128}$/
const traceParentShape = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

/** The client's, if well-formed, else a new one. */
export function requestIdOf(fields: Fields) {
	const given = only(fields, 'x-request-id')
	return typeof given === 'string' && requestIdShape.test(given) ? given : randomUUID()
}

/** Version `ff` is forbidden; a further part belongs to versions above `00` (W3C Trace Context, 2.2). */
export function isTraceParent(value: string) {
	if (!traceParentShape.test(value) || value.startsWith('ff')) return false
	return value.length === 55 || !value.startsWith('00')
}
