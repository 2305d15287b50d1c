/** Every answer of the server itself (route description, 1.6). Details name neither instance, path nor any value of a request. */
import type {Fields, Refusal} from './message-types.ts'

function broken(status: number, reason: string, detail: string): Refusal {
	return {status, reason, proxyError: 'http_request_error', detail, close: true}
}

export function denied(status: number, reason: string, detail: string, fields: Fields = []): Refusal {
	return {status, reason, proxyError: 'http_request_denied', detail, fields, close: false}
}

/** A fault of the instance: always 502, and its connection is not reused. */
function brokenAnswer(reason: string, detail: string): Refusal {
	return {status: 502, reason, proxyError: 'http_protocol_error', detail, close: false}
}

/** Examples: every token except CONNECT and TRACE is forwarded. */
const forwardedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

function notFound(reason: string): Refusal {
	return {status: 404, reason, detail: 'Nothing is served here.', close: false}
}

export function unavailable(reason: string, detail: string, retryS: string): Refusal {
	return {status: 503, reason, proxyError: 'destination_unavailable', detail, fields: ['Retry-After', retryS], close: false}
}

/** A malformed request. The connection closes: the start of the next request is unknown. */
export const badRequest = {
	line: broken(400, 'bad_request_line', 'The request line is malformed.'),
	emptyLines: broken(400, 'bad_request_line', 'More than one empty line stands before the request.'),
	target: broken(400, 'bad_target', 'The request target is malformed.'),
	climbs: broken(400, 'climbing_target', 'The path leads above its root.'),
	name: broken(400, 'bad_name', 'The name in the path is malformed.'),
	version: broken(505, 'unknown_version', 'The HTTP version is neither 1.0 nor 1.1.'),
	methodTooLong: broken(501, 'method_too_long', 'The method is longer than any that is known.'),
	targetTooLong: broken(414, 'target_too_long', 'The request target is too long.'),
	headTooLarge: broken(431, 'head_too_large', 'The head of the request is too large.'),
	fieldName: broken(400, 'bad_field_name', 'The name of a header field is malformed.'),
	fieldValue: broken(400, 'bad_field_value', 'The value of a header field is malformed.'),
	host: broken(400, 'bad_host', 'There must be exactly one valid Host.'),
	connection: broken(400, 'bad_connection', 'The field Connection names a field that belongs to the message.'),
	length: broken(400, 'bad_length', 'There must be at most one Content-Length, and it must be a number.'),
	lengthAndCoding: broken(400, 'length_and_coding', 'Content-Length and Transfer-Encoding exclude each other.'),
	coding: broken(400, 'bad_coding', 'The field Transfer-Encoding is malformed.'),
	unknownCoding: broken(501, 'unknown_coding', 'The only transfer coding is chunked.'),
	expectation: broken(417, 'unknown_expectation', 'The only expectation is 100-continue.'),
	chunk: broken(400, 'bad_chunk', 'A chunk of the body is malformed.'),
	chunkOverhead: broken(400, 'chunk_overhead', 'The chunk extensions are too large.'),
	trailers: broken(400, 'bad_trailers', 'The trailer fields are malformed.'),
	trailersTooLarge: broken(431, 'trailers_too_large', 'The trailer fields are too large.'),
	tooLarge: broken(413, 'body_too_large', 'The body is too large.'),
	slowHead: broken(408, 'slow_head', 'The head of the request did not arrive in time.'),
	slowBody: broken(408, 'slow_body', 'The body of the request arrives too slowly.')
} as const satisfies Record<string, Refusal>

/** A well-formed request that is refused. */
export const refused = {
	unknown: notFound('unknown_instance'),
	notExposed: notFound('not_exposed'),
	noRoute: notFound('no_route'),
	oldPlatform: notFound('old_platform'),
	connect: {...denied(405, 'connect', 'This server opens no tunnels.', ['Allow', forwardedMethods]), close: true},
	trace: denied(405, 'trace', 'TRACE is not answered.', ['Allow', forwardedMethods]),
	readOnly: denied(405, 'method', 'This can only be read.', ['Allow', 'GET, HEAD']),
	host: {...denied(400, 'unknown_host', 'This server does not answer for that host.'), close: true},
	crossSite: denied(403, 'cross_site', 'Pages of other sites may not call this.'),
	loop: {status: 508, reason: 'loop', proxyError: 'proxy_loop_detected', detail: 'The request came back to this server.', close: true},
	/** An answer to `OPTIONS` that is not forwarded (RFC 9110, 7.6.2 and 9.3.7). */
	options: {status: 204, reason: 'options', detail: '', fields: ['Allow', forwardedMethods], close: false},
	bodyTooLarge: badRequest.tooLarge,
	headTooLarge: badRequest.headTooLarge,
	notAllowed: denied(403, 'address_not_allowed', 'This address may not use the instance.'),
	notRunning: unavailable('not_running', 'What is behind this path does not run now.', '30'),
	starting: unavailable('starting', 'What is behind this path is starting.', '2'),
	draining: {status: 503, reason: 'draining', detail: 'The server is stopping.', fields: ['Retry-After', '5'], close: true}
} as const satisfies Record<string, Refusal>

/** Faults of an instance's answer. */
export const badAnswer = {
	statusLine: brokenAnswer('bad_status_line', 'The status line of the answer is malformed.'),
	headTooLarge: brokenAnswer('answer_head_too_large', 'The head of the answer is too large.'),
	fieldName: brokenAnswer('bad_answer_field_name', 'The name of a header field of the answer is malformed.'),
	fieldValue: brokenAnswer('bad_answer_field_value', 'The value of a header field of the answer is malformed.'),
	length: brokenAnswer('bad_answer_length', 'The Content-Length of the answer is malformed or not the only one.'),
	lengthAndCoding: brokenAnswer('answer_length_and_coding', 'The answer has both a Content-Length and a Transfer-Encoding.'),
	coding: brokenAnswer('bad_answer_coding', 'The transfer coding of the answer is not chunked.'),
	chunk: brokenAnswer('bad_answer_chunk', 'A chunk of the answer is malformed.'),
	chunkOverhead: brokenAnswer('answer_chunk_overhead', 'The chunk extensions of the answer are too large.'),
	trailers: brokenAnswer('bad_answer_trailers', 'The trailer fields of the answer are malformed.'),
	trailersTooLarge: brokenAnswer('answer_trailers_too_large', 'The trailer fields of the answer are too large.')
} as const satisfies Record<string, Refusal>
