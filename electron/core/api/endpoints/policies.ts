import { z } from 'zod';

import { policyProducts, policySchema, type Policy } from '#shared/model/policy.ts';

import { checkChoice, checkGuid, checkText } from '../checks.ts';
import type { Listing, WalkOptions } from '../pages.ts';
import type { Answered, ApiClient, CallOptions } from '../types.ts';
import { callFor, list, many, parseData } from './endpoint.ts';

export interface PoliciesArgs {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly name?: readonly string[] | undefined;
  readonly product?: readonly string[] | undefined;
}

/** GET `/v1/policies`. */
export async function getPolicies(
  client: ApiClient,
  args: PoliciesArgs,
  walk?: WalkOptions<Policy>,
): Promise<Listing<Policy>> {
  const query = [
    ...many('name', args.name, (value) => checkText('name', value)),
    ...many('product', args.product, (value) => checkChoice('product', value, policyProducts)),
  ];
  const shape = z.array(policySchema);
  return list<Policy>(
    client,
    {
      path: ['policies'],
      query,
      parse: (request, answer) => parseData(request, answer, shape),
      key: (record) => record.guid,
    },
    args,
    walk,
  );
}

/** GET `/v1/policies/{policy_guid}`. */
export async function getPolicy(
  client: ApiClient,
  args: { readonly policy_guid: string },
  options?: CallOptions,
): Promise<Answered<Policy>> {
  return callFor(
    client,
    { method: 'GET', path: ['policies', checkGuid('policy_guid', args.policy_guid)] },
    policySchema,
    options,
  );
}
