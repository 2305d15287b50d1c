/** Trajectories of computers: read from the service on request, and the last drawing of each kept for when it is away. */
import { getTrajectory, getUserTrajectory } from '#core/service/api/endpoints/computers.ts';
import type { Answered, ApiClient, CallOptions } from '#core/service/api/types.ts';
import type { Trajectory, TrajectoryPoint } from '#shared/contract/sight.ts';
import type { Computer } from '#shared/model/computer.ts';
import { stringifyExact } from '#shared/model/exact-json.ts';
import type { Trajectory as Answer } from '#shared/model/trajectory.ts';
import { type AnyReplica, makeReplica, type ReplicaHost } from '../kit/replica.ts';
import { readEvent, type TrajectoryEvent } from './event.ts';
import { lanesOf, placesOf, systemLane } from './lanes.ts';
import { commandLineOf, mitreOf, severityOf, textAt, timeOf, type TrajectoryRecord } from './record.ts';
import { openTrajectoryStore, type StoredReading, type TrajectoryStore } from './store.ts';

export interface TrajectoryRequest {
	readonly connection: string;
	readonly guid: string;
	/** Address, SHA-256 or URL that the service filters by, `user:` with the name of a user; empty for everything. */
	readonly query: string;
}

export interface Trajectories extends AnyReplica {
	/** The last drawing of that computer and query. Costs nothing. */
	stored(request: TrajectoryRequest): Trajectory | null;
	/** Asks the service: one call. The record of the computer comes along. */
	read(
		request: TrajectoryRequest,
		signal?: AbortSignal,
	): Promise<{ readonly trajectory: Trajectory; readonly computer: Computer; readonly at: number }>;
	/** The service's record of one point, every digit kept. */
	record(request: TrajectoryRequest & { readonly index: number }): { readonly json: string } | null;
}

/** What is asked for; whether the service gives more than its usual 500 is not known (API reference, 4.5). */
const askedFor = 5000;
const usualMaximum = 500;

/** Somebody waits in front of it; the answer may be some megabytes. */
const patience: CallOptions = { purpose: 'interactive', deadlineMs: 60_000, maxBudgetWaitMs: 5000 };

export function trajectoriesReplica(options: ReplicaHost): Trajectories {
	const stores = makeReplica<TrajectoryStore>(options, {
		kind: 'trajectories',
		folder: 'trajectories',
		open: ({ path }) => openTrajectoryStore(path),
	});
	return {
		...stores,
		stored: (request) => {
			const found = stores.open(request.connection).find(keyOf(request.guid), request.query);
			return found === undefined ? null : drawingOf(found);
		},
		async read(request, signal) {
			const client = options.connections.client(options.connections.find(request.connection).id);
			const { guid, query } = request;
			const { data, at } = await ask(client, guid, query, { ...patience, signal });
			const reading = readingOf(keyOf(guid), query, data, at);
			stores.open(request.connection).keep(reading);
			return { trajectory: drawingOf(reading), computer: data.computer, at };
		},
		record: ({ connection, guid, query, index }) => {
			const found = stores.open(connection).find(keyOf(guid), query);
			const timed = found === undefined ? undefined : inOrder(found)[index];
			return timed === undefined ? null : { json: stringifyExact(timed.record, 2) };
		},
	};
}

const ofUser = 'user:';

/** Whether a query asks for what a user did. */
export function isOfUser(query: string): boolean {
	return query.startsWith(ofUser);
}

async function ask(client: ApiClient, guid: string, query: string, options: CallOptions): Promise<Answered<Answer>> {
	const common = { connector_guid: guid, limit: askedFor };
	if (isOfUser(query)) return getUserTrajectory(client, { ...common, q: query.slice(ofUser.length).trim() }, options);
	return getTrajectory(client, { ...common, ...(query === '' ? {} : { q: query }) }, options);
}

function readingOf(
	guid: string,
	query: string,
	data: { readonly computer: Computer; readonly events: readonly StoredReading['events'][number][] },
	readAt: number,
): StoredReading {
	const { computer, events } = data;
	return { guid, query, hostname: computer.hostname ?? guid, readAt, cut: isCut(events.length), events };
}

/** Exactly as many as were asked for, or as the service usually gives: there may be older ones. */
function isCut(events: number): boolean {
	return events >= askedFor || events === usualMaximum;
}

function inOrder({ events, readAt }: StoredReading): ReturnType<typeof oldestFirst> {
	return oldestFirst(events, Math.floor(readAt / 1000));
}

function drawingOf(reading: StoredReading): Trajectory {
	const { guid, query, hostname, readAt, cut } = reading;
	return draw({ guid, query, hostname, cut, readAt: new Date(readAt).toISOString() }, inOrder(reading));
}

function keyOf(guid: string): string {
	return guid.trim().toLowerCase();
}

/** What was read, and when. */
interface Reading {
	readonly guid: string;
	readonly hostname: string;
	readonly query: string;
	/** ISO 8601. */
	readonly readAt: string;
	readonly cut: boolean;
}

/** Pure: lanes and points from events that are in their order. `index` of a point is its place among them. */
export function draw(reading: Reading, records: readonly TimedRecord[]): Trajectory {
	const events = records.map(({ record }) => readEvent(record));
	const places = placesOf(events);
	const { lanes, nameOf } = lanesOf(events, places);
	const points = records.flatMap((timed, index): readonly TrajectoryPoint[] => {
		const event = events[index];
		return event === undefined ? [] : [pointOf({ timed, event, index, lane: places[index] ?? systemLane, nameOf })];
	});
	return { ...reading, oldest: points[0]?.at ?? null, lanes, points, unknown: unknownOf(events) };
}

interface Placed {
	readonly timed: TimedRecord;
	readonly event: TrajectoryEvent;
	readonly index: number;
	readonly lane: string;
	readonly nameOf: (sha256: string) => string | null;
}

function pointOf({ timed, event, index, lane, nameOf }: Placed): TrajectoryPoint {
	const { seconds, nanoseconds } = timed;
	return {
		index,
		id: textAt(event.record, 'id'),
		at: new Date(seconds * 1000 + Math.floor(nanoseconds / 1e6)).toISOString(),
		nanoseconds,
		lane,
		parent: event.parent,
		parentName: event.parentName ?? (event.parent === null ? null : nameOf(event.parent)),
		remote: event.isNetwork ? endpointOf(event.record) : null,
		mitre: mitreOf(event.record),
		type: event.type,
		shape: event.shape,
		disposition: event.disposition,
		severity: severityOf(event.record),
		text: sentenceOf(event, nameOf),
		detectionId: event.detectionId,
		sha256: event.sha256,
	};
}

/** Most frequent first. */
function unknownOf(events: readonly TrajectoryEvent[]): Trajectory['unknown'] {
	const counts = new Map<string, number>();
	for (const { known, type } of events) if (!known) counts.set(type, (counts.get(type) ?? 0) + 1);
	return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => b.count - a.count);
}

/* What an event says, in a sentence. */

/** `nameOf` gives the name of a file by its SHA-256, as the rest of the trajectory knows it. */
function sentenceOf(event: TrajectoryEvent, nameOf: (sha256: string) => string | null): string {
	const file = event.fileName ?? (event.sha256 === null ? null : nameOf(event.sha256)) ?? 'A file';
	const parent = event.parentName ?? (event.parent === null ? null : nameOf(event.parent)) ?? 'an unknown process';
	if (event.isNetwork) return networkSentence(event, parent);
	const verb = verbs[event.shape];
	if (verb !== undefined) return withLine(event, `${file} ${verb} ${parent}`);
	return cloudSentence(event);
}

const verbs: Readonly<Partial<Record<TrajectoryEvent['shape'], string>>> = {
	create: 'was created by',
	execute: 'was started by',
	move: 'was moved by',
	open: 'was opened by',
};

function withLine({ record }: TrajectoryEvent, sentence: string): string {
	const line = commandLineOf(record);
	return line === null ? sentence : `${sentence}: ${line}`;
}

function networkSentence({ record, type, shape }: TrajectoryEvent, parent: string): string {
	const remote = endpointOf(record) ?? 'an unknown address';
	const url = textAt(record, 'network_info', 'dirty_url') ?? textAt(record, 'network_info', 'url');
	const protocol = textAt(record, 'network_info', 'nfm', 'protocol');
	const more = [protocol === null ? '' : ` over ${protocol}`, url === null ? '' : `: ${url}`].join('');
	const direction = textAt(record, 'network_info', 'nfm', 'direction')?.toLowerCase() ?? '';
	const head = shape === 'network' ? '' : `${type}: `;
	if (direction.startsWith('incoming')) return `${head}${remote} connected to ${parent}${more}`;
	// Events of DFC do not tell who began.
	const verb = direction.startsWith('outgoing') ? 'connected to' : 'and';
	const end = verb === 'and' ? ' exchanged data' : '';
	return `${head}${parent} ${verb} ${remote}${end}${more}`;
}

/** `address:port`; an unspecified address tells nothing. */
function endpointOf(record: TrajectoryEvent['record']): string | null {
	const ip = textAt(record, 'network_info', 'remote_ip');
	if (ip === null || ip === '0.0.0.0' || ip === '::') return null;
	const port = textAt(record, 'network_info', 'remote_port');
	const shown = ip.includes(':') ? `[${ip}]` : ip;
	return port === null || port === '0' ? shown : `${shown}:${port}`;
}

function cloudSentence(event: TrajectoryEvent): string {
	const { record, type, fileName } = event;
	const detection = textAt(record, 'detection');
	const about =
		textAt(record, 'cloud_ioc', 'short_description') ??
		textAt(record, 'scan', 'description') ??
		textAt(record, 'fault_event_title') ??
		textAt(record, 'error', 'description');
	const parts = [detection, fileName === null ? null : detection === null ? fileName : `in ${fileName}`];
	const told = parts.filter((part) => part !== null).join(' ');
	const head = told === '' ? type : `${type}: ${told}`;
	return withLine(event, about === null ? head : `${head}${told === '' ? ': ' : ', '}${about}`);
}

interface TimedRecord {
	readonly record: TrajectoryRecord;
	readonly seconds: number;
	readonly nanoseconds: number;
}

/**
 * Oldest first, by second and nanosecond. The service gives the newest first and leaves the order within a second open;
 * what has the same time, or none, keeps its place between its neighbours. `fallback`: Unix seconds when no event tells a time.
 */
export function oldestFirst(records: readonly TrajectoryRecord[], fallback: number): readonly TimedRecord[] {
	let last: Omit<TimedRecord, 'record'> | null = null;
	const timed = records.toReversed().map((record) => {
		const time: Omit<TimedRecord, 'record'> | null = timeOf(record) ?? last;
		last = time;
		return { record, time };
	});
	// Before the first that has a time there is nothing to keep to but that one.
	const first = timed.find(({ time }) => time !== null)?.time ?? { seconds: fallback, nanoseconds: 0 };
	return timed
		.map(({ record, time }) => ({ record, ...(time ?? first) }))
		.toSorted((a, b) => a.seconds - b.seconds || a.nanoseconds - b.nanoseconds);
}
