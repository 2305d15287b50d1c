import type { EventGathering, EventRow, ValueGrouping } from '#shared/contract/events.ts';

import type { Database } from '#core/store/database.ts';
import type { Scope } from './filter-match.ts';
import { idAt } from './record.ts';
import { idsOf } from './scan.ts';

/** Newest matching events that are looked at: what came before them is told as not looked at, never as not there. */
const mostGathered = 10_000;

/** What rows are gathered by, and how far apart in time events of one row may be. */
export interface Gathering {
	readonly by: ValueGrouping;
	readonly within: number | null;
}

/** Rows of a scope, one for each value, newest first. */
export interface Gathered {
	/** Ids of the events that stand for the rows. */
	readonly ids: readonly number[];
	/** What the row of that event stands for, as part of it. */
	readonly of: (id: number) => Pick<EventRow, 'gathered'>;
	/** Place of the row that holds that event; `-1` when there is none. */
	position(id: number): number;
	readonly looked: EventGathering;
}

interface Found {
	readonly id: number;
	readonly value: string | null;
	readonly guid: string | null;
}

interface Row {
	readonly newest: number;
	readonly place: number;
	oldest: number;
	events: number;
	readonly computers: Set<string>;
}

const column = { hash: 'sha256', computer: 'guid', name: 'detection' } as const;

/** Keeps the last answer; `revision` tells whether it is still good. */
export function makeGathering(
	database: Database,
	most = mostGathered,
): (scope: Scope, how: Gathering, revision: number) => Gathered {
	let known: { readonly name: string; readonly gathered: Gathered } | undefined;
	return (scope, how, revision) => {
		const name = `${revision} ${JSON.stringify([how, scope])}`;
		if (known?.name !== name) known = { name, gathered: gather(database, scope, how, most) };
		return known.gathered;
	};
}

function gather(database: Database, scope: Scope, { by, within }: Gathering, most: number): Gathered {
	const ids = idsOf(database, scope, 0, most + 1);
	const sql = `SELECT id, ${column[by]} AS value, guid FROM event WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`;
	const found = database.all<Found>(sql, JSON.stringify(ids.slice(0, most)));
	const oldest = found.at(-1);
	const { rows, rowAt } = gatherRows(found, within === null ? Infinity : idAt(within * 60_000));
	return {
		ids: rows.map(({ newest }) => newest),
		of: (id) => factsOf(rowAt.get(id)),
		position: (id) => rowAt.get(id)?.place ?? -1,
		looked: {
			events: found.length,
			without: found.filter(({ value }) => value === null).length,
			exact: ids.length <= most,
			oldest: oldest === undefined ? null : timeOf(oldest.id),
		},
	};
}

/** Newest first, `within` in ids. An event without the value is a row of its own: nothing is left out. */
export function gatherRows(
	found: readonly Found[],
	within: number,
): { readonly rows: readonly Row[]; readonly rowAt: ReadonlyMap<number, Row> } {
	const rows: Row[] = [];
	const rowAt = new Map<number, Row>();
	const open = new Map<string, Row>();
	for (const { id, value, guid } of found) {
		const known = value === null ? undefined : open.get(value);
		const row =
			known !== undefined && known.newest - id <= within
				? known
				: { newest: id, place: rows.length, oldest: id, events: 0, computers: new Set<string>() };
		if (row !== known) rows.push(row);
		if (value !== null) open.set(value, row);
		row.oldest = id;
		row.events += 1;
		if (guid !== null) row.computers.add(guid);
		rowAt.set(id, row);
	}
	return { rows, rowAt };
}

function factsOf(row: Row | undefined): Pick<EventRow, 'gathered'> {
	if (row === undefined) return {};
	return { gathered: { events: row.events, computers: row.computers.size, since: timeOf(row.oldest) } };
}

function timeOf(id: number): string {
	return new Date(Math.floor(id / idAt(1))).toISOString();
}
