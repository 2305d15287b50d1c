import { guid, limit, required, text } from './arg.ts';
import { defineCommand } from './define.ts';

const groupColumns = [
	{ title: 'Name', path: 'name' },
	{ title: 'GUID', path: 'guid' },
	{ title: 'Parent', path: 'ancestry.0.name' },
	{ title: 'Description', path: 'description' },
] as const;

const groupGuid = required(guid('The group.', 'group'));

const getGroups = defineCommand({
	name: 'svc_get_groups',
	title: 'List groups',
	summary: 'Lists groups of computers.',
	risk: 'read',
	request: 'GET /v1/groups',
	args: { limit: limit(), name: text('Name of the group.') },
	options: ['all'],
	paged: true,
	result: { kind: 'list', noun: ['group', 'groups'], columns: groupColumns },
	examples: ['svc_get_groups limit=50', 'svc_get_groups name=Audit'],
});

const getGroup = defineCommand({
	name: 'svc_get_group',
	title: 'Show one group',
	summary: 'Shows one group with its policies, own and inherited.',
	risk: 'read',
	request: 'GET /v1/groups/{group_guid}',
	args: { group_guid: groupGuid },
	positional: 'group_guid',
	result: {
		kind: 'record',
		noun: ['group', 'groups'],
		columns: [
			...groupColumns,
			{ title: 'Policies', path: 'policies.name' },
			{ title: 'Products', path: 'policies.product' },
			{ title: 'Inherited', path: 'policies.inherited' },
		],
	},
	examples: ['svc_get_group group_guid=0fd176db-c9f8-4741-8909-d48d38c383d6'],
});

const setGroupPolicy = defineCommand({
	name: 'svc_set_group_policy',
	title: "Set a group's policies",
	summary: 'Assigns policies to one group, one for each product given.',
	notes: [
		'At least one policy must be given. Computers pick it up with their next policy sync.',
		'It needs a reason. A group with groups below it also needs confirm with its name.',
		'It can be undone for 24 hours, but not to inheriting and not to none: that is said before it is sent. The group is read first where its policies were not read in the last 5 minutes: one call, and one more where local data does not tell what is below it.',
	],
	risk: 'change',
	guard: { action: 'policies', of: 'group_guid' },
	request: 'PATCH /v1/groups/{group_guid}',
	args: {
		group_guid: groupGuid,
		linux_policy_guid: guid('Policy for Linux.', 'policy'),
		android_policy_guid: guid('Policy for Android.', 'policy'),
		mac_policy_guid: guid('Policy for macOS.', 'policy'),
		windows_policy_guid: guid('Policy for Windows.', 'policy'),
	},
	rules: [
		{
			kind: 'at_least_one',
			of: ['windows_policy_guid', 'mac_policy_guid', 'linux_policy_guid', 'android_policy_guid'],
		},
	],
	positional: 'group_guid',
	result: { kind: 'record', noun: ['group', 'groups'], columns: groupColumns },
	examples: [
		'svc_set_group_policy group_guid=0fd176db-c9f8-4741-8909-d48d38c383d6 windows_policy_guid=f1c0d020-6dfe-4d26-9134-f1665b83833a reason="stricter for finance"',
	],
});

/** In the order of help and reference. */
export const groupCommands = [getGroups, getGroup, setGroupPolicy] as const;
