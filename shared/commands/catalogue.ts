import {nouns} from '../text/terms.ts'
import {isolationStatuses} from '../model/isolation.ts'
import {policyProducts} from '../model/policy.ts'
import {
	choice,
	completed,
	connectorGuid,
	dateTime,
	guid,
	integer,
	limit,
	many,
	offset,
	repeated,
	required,
	sha256,
	text,
	unlockCode
} from './arg.ts'
import {computerCommands} from './computers.ts'
import {type ArgsOf, type CommandSpec, defineCommand} from './define.ts'
import {fileListCommands} from './file-lists.ts'

const stateColumns = [
	['Status', 'status'],
	['Available', 'available'],
	['Isolated by', 'isolated_by'],
	['Comment', 'comment']
] as const

const result = {kind: 'state', noun: ['state', 'states'], columns: stateColumns} as const

const getComputersIsolation = defineCommand({
	name: 'svc_get_computers_isolation',
	aliases: ['isolation'],
	title: 'Show the isolation state',
	summary: "Shows a computer's isolation state, says whether it is the given one, or waits for it.",
	notes: [
		'With status the command succeeds only if the computer is in that state.',
		'wait polls until it is, for the given seconds (600 when no number is given).',
		'reveal shows the unlock code once; a reason is required, and the log keeps the reason, never the code.'
	],
	risk: 'read',
	request: 'GET /v1/computers/{connector_guid}/isolation',
	args: {connector_guid: connectorGuid(), status: choice('The state to compare with or to wait for.', isolationStatuses)},
	positional: 'connector_guid',
	options: ['wait', 'reveal', 'reason'],
	result,
	examples: ['svc_get_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 status=isolated wait=120']
})

const putComputersIsolation = defineCommand({
	name: 'svc_put_computers_isolation',
	aliases: ['isolate'],
	title: 'Isolate a computer',
	summary: 'Cuts one computer off the network, except for the service itself and what its policy allows.',
	notes: [
		'Accepted is not isolated: the computer stays in pending_start until its agent answers.',
		'Without unlock_code and code none is sent and the service makes one. code=generated makes a random one, seals it on this computer before anything is sent, and shows it to nobody: reveal does, with a reason.',
		'A lease is noted as the guard rules of the connection propose (24 hours). Cordon sends a reminder at expiry. The service knows nothing of it.',
		'A reason, where it is asked for, is comment or reason. A server, or the eleventh computer in a day, also needs confirm with its host name.'
	],
	risk: 'isolate',
	guard: {action: 'isolate', of: 'connector_guid'},
	request: 'PUT /v1/computers/{connector_guid}/isolation',
	args: {
		connector_guid: connectorGuid(),
		unlock_code: unlockCode('Code that ends the isolation at the computer itself: at most 24 characters, no spaces.'),
		comment: text("Why; it is kept in the service's own record.")
	},
	positional: 'connector_guid',
	result,
	examples: ['svc_put_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 comment="beaconing to 203.0.113.7"']
})

const deleteComputersIsolation = defineCommand({
	name: 'svc_delete_computers_isolation',
	aliases: ['release'],
	title: 'Release a computer',
	summary: 'Ends the isolation of one computer.',
	notes: [
		'unlock_code is a comment about unlocking: the text reaches the service as its comment. It is not checked against the code.',
		'unlock_code and comment together are an error.',
		'A reason, where it is asked for, is comment, unlock_code or reason.',
		'The answer is reported as the state of the computer, also when the service refuses because it is not isolated.'
	],
	risk: 'release',
	guard: {action: 'release', of: 'connector_guid'},
	request: 'DELETE /v1/computers/{connector_guid}/isolation',
	args: {
		connector_guid: connectorGuid(),
		unlock_code: text('A comment about unlocking; it is sent to the service as the comment.'),
		comment: text("Why; it is kept in the service's own record.")
	},
	rules: [{kind: 'not_together', of: ['unlock_code', 'comment']}],
	positional: 'connector_guid',
	result,
	examples: ['svc_delete_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 comment="host is clean"']
})

const isolationCommands = [deleteComputersIsolation, putComputersIsolation, getComputersIsolation] as const

const groupColumns = [
	['Name', 'name'],
	['GUID', 'guid'],
	['Parent', 'ancestry.0.name'],
	['Description', 'description']
] as const

const groupGuid = required(guid('The group.', 'group'))

const getGroups = defineCommand({
	name: 'svc_get_groups',
	aliases: ['groups'],
	title: 'List groups',
	summary: 'Lists groups of computers.',
	risk: 'read',
	request: 'GET /v1/groups',
	args: {limit: limit(), offset: offset(), name: text('Name of the group.')},
	paged: true,
	result: {kind: 'list', noun: nouns.group, columns: groupColumns},
	examples: ['svc_get_groups limit=50', 'svc_get_groups name=Audit']
})

const getGroup = defineCommand({
	name: 'svc_get_group',
	title: 'Show one group',
	summary: 'Shows one group with its policies, own and inherited.',
	risk: 'read',
	request: 'GET /v1/groups/{group_guid}',
	args: {group_guid: groupGuid},
	positional: 'group_guid',
	result: {
		kind: 'record',
		noun: nouns.group,
		columns: [...groupColumns, ['Policies', 'policies.name'], ['Products', 'policies.product'], ['Inherited', 'policies.inherited']]
	},
	examples: ['svc_get_group group_guid=0fd176db-c9f8-4741-8909-d48d38c383d6']
})

const setGroupPolicy = defineCommand({
	name: 'svc_set_group_policy',
	title: "Set a group's policies",
	summary: 'Assigns policies to one group, one for each product given.',
	notes: [
		'At least one policy must be given. Computers pick it up with their next policy sync.',
		'A group with groups below it needs confirm with its name, and the change a reason where it is asked for.',
		'It can be undone for 24 hours, but not to inheriting and not to none: that is said before it is sent. The group is read first where its policies were not read in the last 5 minutes: one call, and one more where local data does not tell what is below it.'
	],
	risk: 'change',
	guard: {action: 'policies', of: 'group_guid'},
	request: 'PATCH /v1/groups/{group_guid}',
	args: {
		group_guid: groupGuid,
		linux_policy_guid: guid('Policy for Linux.', 'policy'),
		android_policy_guid: guid('Policy for Android.', 'policy'),
		mac_policy_guid: guid('Policy for macOS.', 'policy'),
		windows_policy_guid: guid('Policy for Windows.', 'policy')
	},
	rules: [{kind: 'at_least_one', of: ['windows_policy_guid', 'mac_policy_guid', 'linux_policy_guid', 'android_policy_guid']}],
	positional: 'group_guid',
	result: {kind: 'record', noun: nouns.group, columns: groupColumns},
	examples: [
		'svc_set_group_policy group_guid=0fd176db-c9f8-4741-8909-d48d38c383d6 windows_policy_guid=f1c0d020-6dfe-4d26-9134-f1665b83833a reason="stricter for finance"'
	]
})

const groupCommands = [getGroups, getGroup, setGroupPolicy] as const

const getEvents = defineCommand({
	name: 'svc_get_events',
	aliases: ['events'],
	title: 'List events',
	summary: 'Lists events, filtered by computer, group, hash, type or start date.',
	notes: ['The service promises no order; records of several arguments are AND-ed, several values of one are OR-ed.'],
	risk: 'read',
	request: 'GET /v1/events',
	args: {
		limit: limit(),
		connector_guid: many(guid('Computer; several are OR-ed.', 'computer')),
		group_guid: many(guid('Group at the time of the event; several are OR-ed.', 'group')),
		detection_sha256: sha256('The detected file.'),
		application_sha256: sha256('The parent or application file.'),
		event_type: completed(many(integer('Event type id; several are OR-ed.', 0, 4_294_967_295)), 'event_type'),
		offset: offset(),
		start_date: dateTime('Only events from this time on, ISO 8601.')
	},
	paged: true,
	result: {
		kind: 'list',
		noun: nouns.event,
		columns: [
			['Date', 'date'],
			['Event', 'event_type'],
			['Severity', 'severity'],
			['Computer', 'computer.hostname'],
			['Detection', 'detection'],
			['Id', 'id']
		]
	},
	examples: ['svc_get_events limit=20 event_type=1090519054', 'svc_get_events start_date=2026-01-01T00:00:00Z']
})

const getEventTypes = defineCommand({
	name: 'svc_get_event_types',
	title: 'List event types',
	summary: 'Lists the types of events that the service knows.',
	risk: 'read',
	request: 'GET /v1/event_types',
	args: {},
	result: {
		kind: 'list',
		noun: ['event type', 'event types'],
		columns: [
			['Id', 'id'],
			['Name', 'name'],
			['Description', 'description']
		]
	},
	examples: ['svc_get_event_types']
})

const eventCommands = [getEvents, getEventTypes] as const

const policyColumns = [
	['Name', 'name'],
	['Product', 'product'],
	['GUID', 'guid'],
	['Serial', 'serial_number'],
	['Default', 'default']
] as const

const getPolicies = defineCommand({
	name: 'svc_get_policies',
	aliases: ['policies'],
	title: 'List policies',
	summary: 'Lists policies, filtered by name or product.',
	risk: 'read',
	request: 'GET /v1/policies',
	args: {
		limit: limit(),
		offset: offset(),
		name: repeated(text('Name of a policy; several are OR-ed. Repeat the argument for each: names may contain commas.')),
		product: many(choice('Product; several are OR-ed.', policyProducts))
	},
	paged: true,
	result: {kind: 'list', noun: nouns.policy, columns: policyColumns},
	examples: ['svc_get_policies product=windows,mac']
})

const getPolicy = defineCommand({
	name: 'svc_get_policy',
	title: 'Show one policy',
	summary: 'Shows one policy with its lists and the groups that use it.',
	risk: 'read',
	request: 'GET /v1/policies/{policy_guid}',
	args: {policy_guid: required(guid('The policy.', 'policy'))},
	positional: 'policy_guid',
	result: {
		kind: 'record',
		noun: nouns.policy,
		columns: [
			...policyColumns,
			['File lists', 'file_lists.name'],
			['IP lists', 'ip_lists.name'],
			['Exclusion sets', 'exclusion_sets.name'],
			['Used in groups', 'used_in_groups.name']
		]
	},
	examples: ['svc_get_policy policy_guid=f1c0d020-6dfe-4d26-9134-f1665b83833a']
})

const policyCommands = [getPolicies, getPolicy] as const

const getVersion = defineCommand({
	name: 'svc_get_version',
	title: 'Show the API version',
	summary: 'Asks the service for its API version: the cheapest proof that address and credentials work.',
	risk: 'read',
	request: 'GET /v1/version',
	args: {},
	result: {kind: 'record', noun: ['version', 'versions'], columns: [['Version', 'version']]},
	examples: ['svc_get_version']
})

const serviceCommands = [getVersion] as const

/** The commands by family, all in the order of help and reference. The handlers of a family are in one file of the same name. */
const families = {
	computers: computerCommands,
	events: eventCommands,
	fileLists: fileListCommands,
	groups: groupCommands,
	policies: policyCommands,
	service: serviceCommands,
	isolation: isolationCommands
} as const

type Families = typeof families
export type Family = keyof Families
type Listed = Families[Family][number]
export type CommandName = Listed['name']
export type CommandNameOf<F extends Family> = Families[F][number]['name']
export type CommandArgs<N extends CommandName> = ArgsOf<Extract<Listed, {name: N}>>

export const catalogue: readonly (CommandSpec & {name: CommandName})[] = Object.values(families).flat()

const familyByName: ReadonlyMap<string, Family> = new Map(
	Object.entries(families).flatMap(([family, specs]) => specs.map(({name}) => [name, family as Family] as const))
)

export function familyOf(name: CommandName): Family {
	return familyByName.get(name) ?? 'service'
}

const byName: ReadonlyMap<string, CommandSpec & {name: CommandName}> = new Map(
	catalogue.flatMap(spec => [spec.name, ...spec.aliases].map(name => [name, spec] as const))
)

/** The command of a name or an alias, if any. */
export function findCommand(name: string): (CommandSpec & {name: CommandName}) | undefined {
	return byName.get(name)
}
