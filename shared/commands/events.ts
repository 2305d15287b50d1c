import { completed, dateTime, guid, integer, limit, many, offset, sha256 } from './arg.ts';
import { defineCommand } from './define.ts';

const getEvents = defineCommand({
	name: 'svc_get_events',
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
		start_date: dateTime('Only events from this time on, ISO 8601.'),
	},
	options: ['all'],
	paged: true,
	result: {
		kind: 'list',
		noun: ['event', 'events'],
		columns: [
			{ title: 'Date', path: 'date' },
			{ title: 'Event', path: 'event_type' },
			{ title: 'Severity', path: 'severity' },
			{ title: 'Computer', path: 'computer.hostname' },
			{ title: 'Detection', path: 'detection' },
			{ title: 'Id', path: 'id' },
		],
	},
	examples: ['svc_get_events limit=20 event_type=1090519054', 'svc_get_events start_date=2026-01-01T00:00:00Z'],
});

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
			{ title: 'Id', path: 'id' },
			{ title: 'Name', path: 'name' },
			{ title: 'Description', path: 'description' },
		],
	},
	examples: ['svc_get_event_types'],
});

/** In the order of help and reference. */
export const eventCommands = [getEvents, getEventTypes] as const;
