/** Sums for the pictures of the log: what happened on which host, and how much each person changed in each hour. */
import type { HostLane, LogPicture, WritesInStep } from '#shared/contract/log.ts';

import { writeCommands, type LogFilter } from './filter.ts';
import type { Found } from './locate.ts';
import { createRecent } from '#core/store/recent.ts';

/** Hosts with the newest entries; more lanes than this cannot be told apart. */
export const mostLanes = 12;
/** Marks of all lanes together, the newest. */
export const mostMarks = 1500;
/** Steps of time from the first change to the last: a picture of more cannot be read. */
const mostSteps = 96;

export interface Painter {
	/** `newest`: number of the newest entry that is counted. */
	paint(question: LogFilter & { readonly text?: string | undefined }, newest: number, find: () => Found): LogPicture;
}

/** Sums of the entries up to one; those of later entries are added to them, for the log only grows. */
interface Sums {
	upTo: number;
	readonly hosts: Map<string, HostSum>;
	readonly writes: Map<string, HourSum>;
}

export interface HostSum {
	readonly guid: string;
	/** As the newest entry names it. */
	readonly label: string;
	readonly entries: number;
	/** Number of the newest entry. */
	readonly last: number;
}

export interface HourSum {
	readonly operator: string;
	/** Such as `2026-01-31T08`. */
	readonly hour: string;
	readonly count: number;
}

export function createPainter(): Painter {
	const known = createRecent<Sums>();
	return {
		paint(question, newest, find) {
			const key = JSON.stringify(question);
			const last = known.get(key);
			// An entry stops being pinned by a later one: the only answer that changes for what is there already.
			const isKept = last !== undefined && (question.pinned !== true || last.upTo === newest);
			const sums = isKept ? last : known.set(key, { upTo: 0, hosts: new Map(), writes: new Map() });
			const found = find();
			if (newest > sums.upTo) addSums(sums, found, newest);
			return { lanes: readLanes(found, sums, newest), hosts: sums.hosts.size, ...writesOf([...sums.writes.values()]) };
		},
	};
}

function addSums(sums: Sums, found: Found, newest: number): void {
	// Both are read before anything is added: what fails in between has changed nothing.
	const hosts = found.rows<HostSum>(
		// Beside `max`, SQLite gives the other columns of that row (https://sqlite.org/lang_select.html#bareagg). Without
		// `lower` in the grouping it would go through the index of targets and fetch each entry by itself.
		'lower(target_guid) AS guid, target_label AS label, count(*) AS entries, max(seq) AS last',
		'AND target_guid IS NOT NULL AND seq > ? AND seq <= ? GROUP BY lower(target_guid)',
		...[sums.upTo, newest],
	);
	const writes = readWrites(found, sums.upTo, newest);
	for (const host of hosts) {
		const before = sums.hosts.get(host.guid)?.entries ?? 0;
		sums.hosts.set(host.guid, { ...host, entries: before + host.entries });
	}
	for (const { operator, hour, count } of writes) {
		const key = `${hour} ${operator}`;
		sums.writes.set(key, { operator, hour, count: (sums.writes.get(key)?.count ?? 0) + count });
	}
	sums.upTo = newest;
}

/** Intents only: an outcome is the same change once more. */
function readWrites(found: Found, after: number, newest: number): readonly HourSum[] {
	const commands = writeCommands();
	return found.rows<HourSum>(
		'operator, substr(at, 1, 13) AS hour, count(*) AS count',
		`AND kind = 'command.requested' AND command IN (${commands.map(() => '?').join(', ')})
     AND seq > ? AND seq <= ? GROUP BY operator, hour`,
		...[...commands, after, newest],
	);
}

export interface MarkRow {
	readonly guid: string;
	readonly id: string;
	readonly at: string;
	readonly kind: HostLane['marks'][number]['kind'];
}

function readLanes(found: Found, { hosts }: Sums, newest: number): readonly HostLane[] {
	const lanes = [...hosts.values()].toSorted((one, other) => other.last - one.last).slice(0, mostLanes);
	if (lanes.length === 0) return [];
	const marks = found.rows<MarkRow>(
		'lower(target_guid) AS guid, id, at, kind',
		`AND target_guid IN (${lanes.map(() => '?').join(', ')}) AND seq <= ? ORDER BY seq DESC LIMIT ${mostMarks}`,
		...[...lanes.map(({ guid }) => guid), newest],
	);
	return withMarks(lanes, marks);
}

export function withMarks(lanes: readonly HostSum[], marks: readonly MarkRow[]): readonly HostLane[] {
	const byLane = Map.groupBy(marks, ({ guid }) => guid);
	return lanes.map(({ guid, label, entries }) => ({
		guid,
		label,
		entries,
		marks: (byLane.get(guid) ?? []).map(({ id, at, kind }) => ({ id, at, kind })),
	}));
}

const hourMs = 3_600_000;

/** Nothing is left out: a longer time has longer steps. */
export function writesOf(sums: readonly HourSum[]): Pick<LogPicture, 'writes' | 'stepHours'> {
	if (sums.length === 0) return { writes: [], stepHours: 1 };
	const hours = sums.map(({ hour }) => Date.parse(`${hour}:00:00.000Z`) / hourMs);
	const first = hours.reduce((least, hour) => Math.min(least, hour));
	const last = hours.reduce((most, hour) => Math.max(most, hour));
	const stepHours = Math.ceil((last - first + 1) / mostSteps);
	const writes = new Map<string, WritesInStep>();
	sums.forEach(({ operator, count }, index) => {
		const step = Math.floor(((hours[index] ?? first) - first) / stepHours);
		const hour = new Date((first + step * stepHours) * hourMs).toISOString();
		const key = `${hour} ${operator}`;
		writes.set(key, { operator, hour, count: (writes.get(key)?.count ?? 0) + count });
	});
	return {
		writes: [...writes].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, write]) => write),
		stepHours,
	};
}
