/** The vocabulary of the catalogue's argument declarations. */
import type {ArgSpec, CompletionSource} from './define.ts'

type Extra = Partial<Pick<ArgSpec, 'choices' | 'min' | 'max' | 'complete' | 'secret'>>

function optional<const K extends ArgSpec['kind'], const E extends Extra>(kind: K, summary: string, extra: E) {
	return {kind, summary, required: false, many: 'no', ...extra} as const
}

export function text(summary: string) {
	return optional('text', summary, {})
}

export function guid(summary: string, complete: CompletionSource) {
	return optional('guid', summary, {complete})
}

export function sha256(summary: string) {
	return optional('sha256', summary, {})
}

export function ipv4(summary: string) {
	return optional('ipv4', summary, {})
}

export function integer(summary: string, min: number, max: number) {
	return optional('integer', summary, {min, max})
}

export function dateTime(summary: string) {
	return optional('date_time', summary, {})
}

export function choice<const C extends readonly string[]>(summary: string, choices: C) {
	return optional('choice', summary, {choices})
}

export function unlockCode(summary: string) {
	return optional('unlock_code', summary, {secret: true})
}

export function required<const S extends ArgSpec>(spec: S): Omit<S, 'required'> & {required: true} {
	return {...spec, required: true}
}

/** Several values, repeated or separated by commas. */
export function many<const S extends ArgSpec>(spec: S): Omit<S, 'many'> & {many: 'comma'} {
	return {...spec, many: 'comma'}
}

/** Several values by repetition only, because a value may contain commas. */
export function repeated<const S extends ArgSpec>(spec: S): Omit<S, 'many'> & {many: 'repeat'} {
	return {...spec, many: 'repeat'}
}

export function completed<const S extends ArgSpec>(spec: S, complete: CompletionSource): S & {complete: CompletionSource} {
	return {...spec, complete}
}

/** `limit` of a list: any positive number; above 500 it reads several pages. */
export function limit() {
	return integer('Maximum number of records; above 500 in several pages (default: set by the service).', 1, 10_000_000)
}

export function offset() {
	return integer('How many records to skip.', 0, 10_000_000)
}

export function connectorGuid() {
	return required(guid('The computer, by its connector GUID.', 'computer'))
}
