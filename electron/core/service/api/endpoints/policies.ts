import {CordonError} from '#contract/errors.ts'
import {policyProducts, policySchema, type Policy} from '#model/policy.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {checkChoice, checkGuid, checkText} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {Answered, ApiClient, ApiRequest, CallOptions} from '../types.ts'
import {callFor, factsOf, list, many, type Range} from './endpoint.ts'

interface PoliciesArgs extends Range {
	name?: readonly string[] | undefined
	product?: readonly string[] | undefined
}

/** GET `/v1/policies`. */
export async function getPolicies(client: ApiClient, args: PoliciesArgs, walk?: WalkOptions<Policy>): Promise<Listing<Policy>> {
	const query = [...many(args, 'name', checkText), ...many(args, 'product', (name, value) => checkChoice(name, value, policyProducts))]
	return list<Policy>(client, {path: ['policies'], query, shape: policySchema, key: record => record.guid}, args, walk)
}

/** GET `/v1/policies/{policy_guid}`. */
export async function getPolicy(client: ApiClient, args: {policy_guid: string}, options?: CallOptions): Promise<Answered<Policy>> {
	return callFor(client, {method: 'GET', path: ['policies', checkGuid('policy_guid', args.policy_guid)]}, policySchema, options)
}

/** The largest policy that is shown, in characters. */
const maxXml = 8 * 1024 * 1024

/**
 * GET `/v1/policies/{policy_guid}.xml`: text, not JSON (API reference, "Policies"). Throws `forbidden` when the key may
 * not read it, `too_large`, and `unexpected_shape` for what is no XML.
 */
export async function getPolicyXml(client: ApiClient, args: {policy_guid: string}, options?: CallOptions): Promise<Answered<string>> {
	const guid = checkGuid('policy_guid', args.policy_guid)
	const request: ApiRequest = {method: 'GET', path: ['policies', `${guid}.xml`], expects: 'text'}
	const answer = await client.call(request, options)
	const {body, status, requestId} = answer
	const text = typeof body === 'string' ? body.replace(/^\uFEFF/, '') : ''
	const details = {status, ...omitUndefined({requestId})}
	if (text.length > maxXml) throw new CordonError('too_large', 'The policy is larger than 8 MB as XML.', details)
	if (!/^\s*<(?!!doctype html|html)/i.test(text)) throw new CordonError('unexpected_shape', "The service's answer is not XML.", details)
	return {...factsOf(answer), data: text}
}
