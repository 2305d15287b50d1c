import type {ErrorDetails} from '#contract/errors.ts'
import {member} from '#shared/is-record.ts'
import {asSentence} from '#shared/sentence.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {failed, type Failure} from './failure.ts'
import type {ApiRequest} from './types.ts'

/** An answer as it came, its body read as far as it could be. */
export interface Answer {
	readonly status: number
	readonly requestId: string | undefined
	/** The parsed body; `undefined` when there is none or it is no JSON. */
	readonly body: unknown
	/** This key was already good for a reading. */
	readonly keyIsKnown: boolean
}

/** An answer whose status is no success, as an entry of the table. 429 and redirects are dealt with before. */
export function statusFailure(request: ApiRequest, answer: Answer): Failure {
	const {status} = answer
	const details = detailsOf(answer)
	const say = (sentence: string) => withService(sentence, details.service)
	const changes = isWrite(request)
	if (status === 400 || status === 422) return failed('bad_request', say('The service did not accept the request.'), {details})
	if (status === 401) return unauthorized(changes && answer.keyIsKnown, details)
	if (status === 403) return failed('forbidden', say('This API key lacks permission.'), {details})
	if (status === 404 || status === 410) return failed('not_found', say(missingSentence(request)), {details})
	if (status === 405 && isIsolation(request)) return failed('isolation_not_allowed', undefined, {details})
	if (status === 409) return failed('conflict', say(conflictSentence(request)), {details})
	if (status >= 500 && status <= 599) return serviceError(answer, details, changes)
	const sentence = `The service answered with status ${status}, which is not part of its API.`
	return failed('unexpected_status', say(sentence), {details, unknown: changes && status < 400})
}

/** Only a gateway's failures pass by themselves; of a change nobody knows whether the service behind it carried it out. */
function serviceError(answer: Answer, details: ErrorDetails, changes: boolean) {
	const id = answer.requestId === undefined ? '' : `, request ${answer.requestId}`
	const sentence = withService(`The service answered with an error (status ${answer.status}${id}).`, details.service)
	return failed('service_error', sentence, {details, unknown: changes, retry: [502, 503, 504].includes(answer.status)})
}

/** What a read-only key gets on a change is not documented; 401 after a good reading can mean nothing else. */
function unauthorized(mayRead: boolean, details: ErrorDetails) {
	if (mayRead) return failed('forbidden', 'This API key may read, but not change anything.', {details})
	return failed('unauthorized', undefined, {details: {...details, fix: 'Check the client ID, the API key and the region of this connection.'}})
}

/** A success that carries errors is none. */
export function errorsInSuccess(answer: Answer): Failure {
	const details = detailsOf(answer)
	return failed('errors_in_success', withService('The service reported success together with errors.', details.service), {details})
}

/** `errors` of an answer, whether documented as an array or in any other form that is not empty. */
export function hasErrors(body: unknown) {
	const errors = member(body, 'errors')
	if (Array.isArray(errors)) return errors.length > 0
	return typeof errors === 'object' ? errors !== null && Object.keys(errors).length > 0 : errors !== undefined && errors !== ''
}

function detailsOf(answer: Pick<Answer, 'status' | 'requestId' | 'body'>): ErrorDetails {
	const service = serviceText(answer.body)
	return {status: answer.status, ...omitUndefined({requestId: answer.requestId}), ...(service === '' ? {} : {service})}
}

export function isWrite(request: Pick<ApiRequest, 'method'>) {
	return request.method !== 'GET' && request.method !== 'OPTIONS'
}

function isIsolation(request: ApiRequest) {
	return request.path.at(-1) === 'isolation'
}

function missingSentence(request: ApiRequest) {
	const [family, , part, hash] = request.path
	if (family === 'file_lists' && part === 'files' && hash !== undefined) return 'This hash is not on the list, or there is no such list.'
	if (family === 'event_streams' && request.path.length === 1) return 'This service offers no event streams.'
	if (!namesObject(request.path))
		return `The service does not know the address /v1/${request.path.join('/')}. Check the server of this connection.`
	const noun = {computers: 'computer', groups: 'group', policies: 'policy', file_lists: 'file list'}[family ?? ''] ?? 'object'
	return `The service has no such ${noun}; it may have been deleted elsewhere.`
}

const collections = new Set(['activity', 'user_activity', 'application_blocking', 'simple_custom_detections'])

/** A whole list cannot have been deleted elsewhere: something else than the service answers there. */
function namesObject([, object]: ApiRequest['path']) {
	return object !== undefined && !collections.has(object)
}

/** 409 in terms of the state that it means (API reference, "Errors"). */
function conflictSentence(request: ApiRequest) {
	if (isIsolation(request) && request.method === 'PUT') return 'The computer is already isolated, or a change of its isolation is under way.'
	if (isIsolation(request) && request.method === 'DELETE') return 'The computer is not isolated, or its release is already under way.'
	if (request.path.at(-2) === 'files' && request.method === 'POST') return 'The hash is already on the list.'
	return 'The object is already in another state.'
}

function withService(sentence: string, service: string | undefined) {
	return service === undefined ? sentence : asSentence(`${sentence} The service says: ${service}`)
}

/** `errors[].details` joined, else the descriptions; the second form is `{"error":{"message"}}`. At most 500 characters. */
function serviceText(body: unknown) {
	const errors = member(body, 'errors')
	const texts = (Array.isArray(errors) ? errors : []).flatMap((entry: unknown) => {
		const details = member(entry, 'details')
		const lines = (Array.isArray(details) ? details : []).filter(line => typeof line === 'string')
		const description = member(entry, 'description')
		return lines.length > 0 ? lines : typeof description === 'string' ? [description] : []
	})
	const other = member(member(body, 'error'), 'message')
	const text = texts.length > 0 ? texts.join('; ') : typeof other === 'string' ? other : ''
	return text.length > 500 ? `${text.slice(0, 499)}…` : text
}
