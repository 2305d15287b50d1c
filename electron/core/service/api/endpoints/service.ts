import {member} from '#shared/is-record.ts'
import type {Answered, ApiClient, CallOptions} from '../types.ts'
import {factsOf, unexpectedShape} from './endpoint.ts'

/** GET `/v1/version`. The version is in the envelope; no schema is loaded for it, because this is the CLI's shortest way. */
export async function getVersion(client: ApiClient, options?: CallOptions): Promise<Answered<{version: string}>> {
	const request = {method: 'GET', path: ['version']} as const
	const answer = await client.call(request, options)
	const version = member(answer.body, 'version')
	if (typeof version !== 'string') throw unexpectedShape(request, answer, {path: ['version'], message: 'there is none'})
	return {...factsOf(answer), data: {version}}
}
