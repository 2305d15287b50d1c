import { isolationStatuses } from '../model/isolation.ts';
import { choice, connectorGuid, text, unlockCode } from './arg.ts';
import { defineCommand } from './define.ts';

const stateColumns = [
	{ title: 'Status', path: 'status' },
	{ title: 'Available', path: 'available' },
	{ title: 'Isolated by', path: 'isolated_by' },
	{ title: 'Comment', path: 'comment' },
] as const;

const result = { kind: 'state', noun: ['state', 'states'], columns: stateColumns } as const;

const getComputersIsolation = defineCommand({
	name: 'svc_get_computers_isolation',
	title: 'Show the isolation state',
	summary: "Shows a computer's isolation state, says whether it is the given one, or waits for it.",
	notes: [
		'With status the command succeeds only if the computer is in that state.',
		'wait polls until it is, for the given seconds (600 when no number is given).',
		'reveal shows the unlock code once; a reason is required, and the log keeps the reason, never the code.',
	],
	risk: 'read',
	request: 'GET /v1/computers/{connector_guid}/isolation',
	args: {
		connector_guid: connectorGuid(),
		status: choice('The state to compare with or to wait for.', isolationStatuses),
	},
	positional: 'connector_guid',
	options: ['wait', 'reveal', 'reason'],
	result,
	examples: [
		'svc_get_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 status=isolated wait=120',
	],
});

const putComputersIsolation = defineCommand({
	name: 'svc_put_computers_isolation',
	title: 'Isolate a computer',
	summary: 'Cuts one computer off the network, except for the service itself and what its policy allows.',
	notes: [
		'Accepted is not isolated: the computer stays in pending_start until its agent answers.',
		'Without unlock_code and code none is sent and the service makes one. code=generated makes a random one, seals it on this computer before anything is sent, and shows it to nobody: reveal does, with a reason.',
		'A lease is noted as the guard rules of the connection propose (24 hours). Cordon sends a reminder at expiry. The service knows nothing of it.',
		'It needs a reason: comment, or reason. A server, or the eleventh computer in a day, also needs confirm with its host name.',
	],
	risk: 'isolate',
	guard: { action: 'isolate', of: 'connector_guid' },
	request: 'PUT /v1/computers/{connector_guid}/isolation',
	args: {
		connector_guid: connectorGuid(),
		unlock_code: unlockCode('Code that ends the isolation at the computer itself: at most 24 characters, no spaces.'),
		comment: text("Why; it is kept in the service's own record."),
	},
	positional: 'connector_guid',
	result,
	examples: [
		'svc_put_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 comment="beaconing to 203.0.113.7"',
	],
});

const deleteComputersIsolation = defineCommand({
	name: 'svc_delete_computers_isolation',
	title: 'Release a computer',
	summary: 'Ends the isolation of one computer.',
	notes: [
		'unlock_code is a comment about unlocking: the text reaches the service as its comment. It is not checked against the code.',
		'unlock_code and comment together are an error.',
		'It needs a reason: comment, unlock_code, or reason.',
		'The answer is reported as the state of the computer, also when the service refuses because it is not isolated.',
	],
	risk: 'release',
	guard: { action: 'release', of: 'connector_guid' },
	request: 'DELETE /v1/computers/{connector_guid}/isolation',
	args: {
		connector_guid: connectorGuid(),
		unlock_code: text('A comment about unlocking; it is sent to the service as the comment.'),
		comment: text("Why; it is kept in the service's own record."),
	},
	rules: [{ kind: 'not_together', of: ['unlock_code', 'comment'] }],
	positional: 'connector_guid',
	result,
	examples: [
		'svc_delete_computers_isolation connector_guid=d7fbcdb6-0a14-4e39-867e-02f5e1649497 comment="host is clean"',
	],
});

/** In the order of help and reference. */
export const isolationCommands = [deleteComputersIsolation, putComputersIsolation, getComputersIsolation] as const;
