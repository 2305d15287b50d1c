import { policyProducts } from '../model/policy.ts';
import { choice, guid, limit, many, offset, repeated, required, text } from './arg.ts';
import { defineCommand } from './define.ts';

const policyColumns = [
	{ title: 'Name', path: 'name' },
	{ title: 'Product', path: 'product' },
	{ title: 'GUID', path: 'guid' },
	{ title: 'Serial', path: 'serial_number' },
	{ title: 'Default', path: 'default' },
] as const;

const getPolicies = defineCommand({
	name: 'svc_get_policies',
	title: 'List policies',
	summary: 'Lists policies, filtered by name or product.',
	risk: 'read',
	request: 'GET /v1/policies',
	args: {
		limit: limit(),
		offset: offset(),
		name: repeated(
			text('Name of a policy; several are OR-ed. Repeat the argument for each: names may contain commas.'),
		),
		product: many(choice('Product; several are OR-ed.', policyProducts)),
	},
	options: ['all'],
	paged: true,
	result: { kind: 'list', noun: ['policy', 'policies'], columns: policyColumns },
	examples: ['svc_get_policies product=windows,mac'],
});

const getPolicy = defineCommand({
	name: 'svc_get_policy',
	title: 'Show one policy',
	summary: 'Shows one policy with its lists and the groups that use it.',
	risk: 'read',
	request: 'GET /v1/policies/{policy_guid}',
	args: { policy_guid: required(guid('The policy.', 'policy')) },
	positional: 'policy_guid',
	result: {
		kind: 'record',
		noun: ['policy', 'policies'],
		columns: [
			...policyColumns,
			{ title: 'File lists', path: 'file_lists.name' },
			{ title: 'IP lists', path: 'ip_lists.name' },
			{ title: 'Exclusion sets', path: 'exclusion_sets.name' },
			{ title: 'Used in groups', path: 'used_in_groups.name' },
		],
	},
	examples: ['svc_get_policy policy_guid=f1c0d020-6dfe-4d26-9134-f1665b83833a'],
});

/** In the order of help and reference. */
export const policyCommands = [getPolicies, getPolicy] as const;
