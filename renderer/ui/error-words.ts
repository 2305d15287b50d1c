import {CordonError, type Asked, type ErrorReport} from '#contract/errors.ts'

/** A failure's sentence without the request id, for places that show the id separately. */
export function withoutRequest(message: string, requestId: string | undefined) {
	return requestId === undefined ? message : message.replace(`, request ${requestId}`, '')
}

/** A read as a shell command. It contains no key: curl asks for it, and the client ID is inserted by hand. */
export function curlOf({method, url}: Asked) {
	const verb = method === 'GET' ? '' : `--request ${method} `
	return `curl --include ${verb}--user CLIENT_ID --header 'Accept: application/json' '${url.replaceAll("'", '%27')}'`
}

type Failure = CordonError | ErrorReport | null | undefined

/** Whether two failures have the same cause: two requests refused for one reason count as one. */
export function isSameCause(one: Failure, other: Failure) {
	if (one == null || other == null || one.code !== other.code) return false
	return saidBy(one) === saidBy(other)
}

function saidBy(error: CordonError | ErrorReport) {
	const {requestId} = error instanceof CordonError ? error.details : error
	return withoutRequest(error.message, requestId)
}
