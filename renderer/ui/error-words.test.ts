import {CordonError, reportError} from '#contract/errors.ts'

import {curlOf, isSameCause, withoutRequest} from './error-words.ts'

test('a request id is shown once', () => {
	const message = 'The service answered with an error (status 503, request 51b65783). The service says: Down.'
	expect(withoutRequest(message, '51b65783')).toBe('The service answered with an error (status 503). The service says: Down.')
	expect(withoutRequest(message, undefined)).toBe(message)
	expect(withoutRequest('The network is down.', '51b65783')).toBe('The network is down.')
})

test('a reading becomes a line for a shell, without a key and with nothing that the shell would read itself', () => {
	const url = "https://api.test/v1/computers?hostname=O'Hara%20$(id)&limit=500"
	expect(curlOf({method: 'GET', url})).toBe(
		"curl --include --user CLIENT_ID --header 'Accept: application/json' 'https://api.test/v1/computers?hostname=O%27Hara%20$(id)&limit=500'"
	)
	expect(curlOf({method: 'OPTIONS', url: 'https://api.test/v1/computers/1/isolation'})).toContain(' --request OPTIONS ')
})

test('two requests that failed for one reason are one cause', () => {
	const failed = (requestId: string, status = 503) =>
		new CordonError('service_error', `The service answered with an error (status ${status}, request ${requestId}).`, {requestId})
	expect(isSameCause(failed('one'), reportError(failed('two')))).toBe(true)
	expect(isSameCause(failed('one'), failed('two', 500))).toBe(false)
	expect(isSameCause(failed('one'), new CordonError('unauthorized', failed('one').message))).toBe(false)
	expect([isSameCause(null, null), isSameCause(failed('one'), undefined)]).toEqual([false, false])
})
