import {isolationSchema, type Isolation} from '#model/isolation.ts'

import {checkGuid, checkText, checkUnlockCode} from '../checks.ts'
import type {Answered, ApiClient, ApiRequest, CallOptions, Method} from '../types.ts'
import {callFor, factsOf} from './endpoint.ts'

interface Target {
	connector_guid: string
}

/** GET `/v1/computers/{connector_guid}/isolation`. The answer holds the unlock code: mask it before it leaves core. */
export async function getIsolation(client: ApiClient, args: Target, options?: CallOptions): Promise<Answered<Isolation>> {
	return callFor(client, isolationRequest('GET', args), isolationSchema, options)
}

/** PUT. What is not given is not sent: without a code the service makes one. 409 when it is not in `not_isolated`. */
export async function putIsolation(
	client: ApiClient,
	args: Target & {unlock_code?: string | undefined; comment?: string | undefined},
	options: CallOptions
): Promise<Answered<Isolation>> {
	const code = args.unlock_code === undefined ? {} : {unlock_code: checkUnlockCode('unlock_code', args.unlock_code)}
	return callFor(client, isolationRequest('PUT', args, {...code, ...commentOf(args.comment)}), isolationSchema, options)
}

/** DELETE. The answer may first still say `isolated`. 409 when it is not isolated. */
export async function deleteIsolation(
	client: ApiClient,
	args: Target & {comment?: string | undefined},
	options: CallOptions
): Promise<Answered<Isolation>> {
	return callFor(client, isolationRequest('DELETE', args, commentOf(args.comment)), isolationSchema, options)
}

/** OPTIONS: the methods that this computer allows now; rejects with `isolation_not_allowed` on 405. */
export async function getIsolationMethods(client: ApiClient, args: Target, options?: CallOptions): Promise<Answered<readonly string[]>> {
	const answer = await client.call(isolationRequest('OPTIONS', args), options)
	return {...factsOf(answer), data: answer.allow}
}

function isolationRequest(method: Method, args: Target, body: Readonly<Record<string, string>> = {}): ApiRequest {
	const path = ['computers', checkGuid('connector_guid', args.connector_guid), 'isolation']
	return Object.keys(body).length === 0 ? {method, path} : {method, path, body}
}

function commentOf(comment: string | undefined): {comment?: string} {
	return comment === undefined ? {} : {comment: checkText('comment', comment)}
}
