import type {Fields} from '../message-types.ts'
import {mayTrail} from './names.ts'

/** Lower-case names allowed as trailers, without those that never can be (G15). */
export function compileTrailers(allowed: readonly string[]): ReadonlySet<string> {
	return new Set(allowed.map(name => name.toLowerCase()).filter(mayTrail))
}

const nothing: Fields = []

export function passTrailers(fields: Fields, allowed: ReadonlySet<string>) {
	if (fields.length === 0 || allowed.size === 0) return nothing
	const passed: string[] = []
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at] ?? ''
		if (allowed.has(name.toLowerCase())) passed.push(name, fields[at + 1] ?? '')
	}
	return passed
}

/** The remaining `Trailer` announcement; `null`: nothing. */
export function announced(trailer: string | null, allowed: ReadonlySet<string>) {
	if (trailer === null || allowed.size === 0) return null
	const names = trailer.split(',').map(name => name.trim())
	const passed = names.filter(name => allowed.has(name.toLowerCase()))
	return passed.length === 0 ? null : passed.join(', ')
}
