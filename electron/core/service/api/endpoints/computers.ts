import {computerSchema, type Computer} from '#model/computer.ts'
import {activityItemSchema, trajectorySchema, type ActivityItem, type Trajectory} from '#model/trajectory.ts'

import {checkGuid, checkInteger, checkIpv4, checkText} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {Answered, ApiClient, CallOptions} from '../types.ts'
import {callFor, list, listElsewhere, many, one, type PageReader, type Range} from './endpoint.ts'

export interface ComputersArgs extends Range {
	hostname?: readonly string[] | undefined
	internal_ip?: string | undefined
	external_ip?: string | undefined
	group_guid?: readonly string[] | undefined
}

/** GET `/v1/computers`. */
export async function getComputers(client: ApiClient, args: ComputersArgs, walk?: WalkOptions<Computer>): Promise<Listing<Computer>> {
	const query = [
		...many(args, 'hostname', checkText),
		...one(args, 'internal_ip', checkIpv4),
		...one(args, 'external_ip', checkIpv4),
		...many(args, 'group_guid', checkGuid)
	]
	return list<Computer>(client, {path: ['computers'], query, shape: computerSchema, key: guidOf}, args, walk)
}

/** GET `/v1/computers`, all of them. Another thread reads the pages and keeps the records; `walk.read` tells what it read. */
export async function walkComputers<Read extends Pick<Computer, 'connector_guid'>>(
	client: ApiClient,
	walk: WalkOptions<Read> & {read: PageReader<Read>}
): Promise<Listing<Read>> {
	return listElsewhere<Read>(client, {path: ['computers'], query: [], key: guidOf}, walk)
}

/** GET `/v1/computers/{connector_guid}`. */
export async function getComputer(client: ApiClient, args: {connector_guid: string}, options?: CallOptions): Promise<Answered<Computer>> {
	const guid = checkGuid('connector_guid', args.connector_guid)
	return callFor(client, {method: 'GET', path: ['computers', guid]}, computerSchema, options)
}

/** GET `/v1/computers/{connector_guid}/trajectory`. It cannot be paged: `limit` goes out as it is, 1 to 5000. */
export async function getTrajectory(
	client: ApiClient,
	args: {connector_guid: string; q?: string | undefined; limit?: number | undefined},
	options?: CallOptions
): Promise<Answered<Trajectory>> {
	return trajectory(client, 'trajectory', args, options)
}

/** PATCH `/v1/computers/{connector_guid}`. The answer names the new group and still the old policy. */
export async function moveComputer(
	client: ApiClient,
	args: {connector_guid: string; group_guid: string},
	options: CallOptions
): Promise<Answered<Computer>> {
	const guid = checkGuid('connector_guid', args.connector_guid)
	const body = {group_guid: checkGuid('group_guid', args.group_guid)}
	return callFor(client, {method: 'PATCH', path: ['computers', guid], body}, computerSchema, options)
}

interface Searched extends Range {
	q: string
}

/** GET `/v1/computers/activity`. */
export async function getActivity(client: ApiClient, args: Searched, walk?: WalkOptions<ActivityItem>): Promise<Listing<ActivityItem>> {
	return activity(client, 'activity', args, walk)
}

/** GET `/v1/computers/user_activity`. */
export async function getUserActivity(client: ApiClient, args: Searched, walk?: WalkOptions<ActivityItem>): Promise<Listing<ActivityItem>> {
	return activity(client, 'user_activity', args, walk)
}

/** GET `/v1/computers/{connector_guid}/user_trajectory`: `q` is the name of the user. It cannot be paged. */
export async function getUserTrajectory(
	client: ApiClient,
	args: {connector_guid: string; q: string; limit?: number | undefined},
	options?: CallOptions
): Promise<Answered<Trajectory>> {
	return trajectory(client, 'user_trajectory', args, options)
}

function trajectory(
	client: ApiClient,
	of: 'trajectory' | 'user_trajectory',
	args: {connector_guid: string; q?: string | undefined; limit?: number | undefined},
	options?: CallOptions
) {
	const guid = checkGuid('connector_guid', args.connector_guid)
	const query = [...one(args, 'q', checkText), ...one(args, 'limit', (name, value: number) => checkInteger(name, value, 1, 5000))]
	return callFor(client, {method: 'GET', path: ['computers', guid, of], query}, trajectorySchema, options)
}

function activity(client: ApiClient, of: 'activity' | 'user_activity', args: Searched, walk?: WalkOptions<ActivityItem>) {
	const query = one(args, 'q', checkText)
	return list<ActivityItem>(client, {path: ['computers', of], query, shape: activityItemSchema, key: guidOf}, args, walk)
}

function guidOf(record: {connector_guid: string}) {
	return record.connector_guid
}
