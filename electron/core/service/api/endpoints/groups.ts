import {groupSchema, type Group} from '#model/group.ts'

import {checkGuid, checkText, invalid} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {Answered, ApiClient, CallOptions} from '../types.ts'
import {callFor, list, one, type Range} from './endpoint.ts'

/** GET `/v1/groups`, which takes one plain `name=`. */
export async function getGroups(
	client: ApiClient,
	args: Range & {name?: string | undefined},
	walk?: WalkOptions<Group>
): Promise<Listing<Group>> {
	const query = one(args, 'name', checkText)
	return list<Group>(client, {path: ['groups'], query, shape: groupSchema, key: record => record.guid}, args, walk)
}

/** GET `/v1/groups/{group_guid}`. */
export async function getGroup(client: ApiClient, args: {group_guid: string}, options?: CallOptions): Promise<Answered<Group>> {
	return callFor(client, {method: 'GET', path: ['groups', checkGuid('group_guid', args.group_guid)]}, groupSchema, options)
}

const products = ['linux', 'android', 'mac', 'windows'] as const
type PolicyArg = `${(typeof products)[number]}_policy_guid`

/** PATCH `/v1/groups/{group_guid}` with at least one policy. The status of a success is 200 or 202. */
export async function setGroupPolicies(
	client: ApiClient,
	args: {group_guid: string} & {[K in PolicyArg]?: string | undefined},
	options: CallOptions
): Promise<Answered<Group>> {
	const guid = checkGuid('group_guid', args.group_guid)
	const given = products.flatMap(product => {
		const field = `${product}_policy_guid` as const
		const policy = args[field]
		return policy === undefined ? [] : [[field, checkGuid(field, policy)] as const]
	})
	if (given.length === 0) throw invalid('windows_policy_guid', 'or the policy of another product must be given')
	return callFor(client, {method: 'PATCH', path: ['groups', guid], body: Object.fromEntries(given)}, groupSchema, options)
}
