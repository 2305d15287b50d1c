import {STATUS_CODES} from 'node:http'

export type JsonObject = Readonly<Record<string, unknown>>

/** A handler's response, before weather and headers. `body` is a JSON value; `undefined` sends none. */
export interface Answer {
	status: number
	body?: unknown
	headers?: Readonly<Record<string, string>>
	/** The body holds `bigint` values, which need the slower, exact writer. */
	exact?: boolean
	/** A text body instead of JSON. */
	text?: {type: string; content: string}
}

export const apiVersion = 'v1.2.0'

/** One record, or an object, without `metadata.results`. */
export function single(self: string, data: unknown, status = 200): Answer {
	return {status, body: {version: apiVersion, metadata: {links: {self}}, data}}
}

/** A refusal in the service's envelope: `error_code` repeats the status, `details` hold the human text. */
export function problem(status: number, self: string, ...details: readonly string[]): Answer {
	return {status, body: {version: apiVersion, metadata: {links: {self}}, data: {}, errors: [errorEntry(status, details)]}}
}

/** The live body of a 401: version null and no metadata (API reference, 1.7). */
export function unauthorized(): Answer {
	return {status: 401, body: {version: null, data: {}, errors: [errorEntry(401, ['Unknown API key or Client ID'])]}}
}

export function errorEntry(status: number, details: readonly string[]): unknown {
	return {error_code: status, description: STATUS_CODES[status] ?? 'Error', details}
}

/** Thrown by request parsers; the pipeline answers with it. */
export class Refusal extends Error {
	readonly status: number

	constructor(status: number, detail: string) {
		super(detail)
		this.status = status
	}
}
