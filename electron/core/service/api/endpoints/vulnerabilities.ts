import {member} from '#shared/is-record.ts'
import {vulnerabilitySchema, type Vulnerability} from '#model/vulnerability.ts'

import {checkGuid} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {ApiClient} from '../types.ts'
import {list} from './endpoint.ts'

/** GET `/v1/computers/{connector_guid}/vulnerabilities`: deprecated, so that a service may not have it any more. */
export async function getVulnerabilities(
	client: ApiClient,
	args: {connector_guid: string},
	walk?: WalkOptions<Vulnerability>
): Promise<Listing<Vulnerability>> {
	const guid = checkGuid('connector_guid', args.connector_guid)
	return list<Vulnerability>(
		client,
		{
			path: ['computers', guid, 'vulnerabilities'],
			query: [],
			shape: vulnerabilitySchema,
			itemsOf: data => member(data, 'vulnerabilities') ?? [],
			key: ({application, version, file}) => JSON.stringify([application, version, file?.identity?.sha256])
		},
		{},
		walk
	)
}
