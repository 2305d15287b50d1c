/** The statements that write computers: rows, what is searched in them, and what several rows have to do with each other. */
import { ipv4Number } from '#shared/model/filter-values.ts';
import { fold } from '#shared/model/fold.ts';

import type { Database, Param } from '#core/store/database.ts';
import {
	listOf,
	macDigits,
	searchTexts,
	type IsolationColumns,
	type RecordColumns,
	type SearchTexts,
	type StoredComputer,
} from './columns.ts';

/** Folded names of new computers, and those that computers had or have whose marks may no longer be right. */
export interface Names {
	readonly grown: Set<string>;
	readonly changed: Set<string>;
}

export type Changes = Readonly<Record<string, Param>>;

/** The order in which values are bound; the names come from the types of `columns.ts`, never from data. */
const recordNames: readonly (keyof RecordColumns)[] = [
	'hostname',
	'host_fold',
	'name_key',
	'group_guid',
	'group_name',
	'group_fold',
	'policy_guid',
	'policy_name',
	'policy_fold',
	'os',
	'os_fold',
	'os_version',
	'os_key',
	'connector',
	'connector_key',
	'ips',
	'ip_num',
	'ip_key',
	'external_ip',
	'external_num',
	'external_key',
	'macs',
	'last_seen',
	'installed',
	'compromised',
	'active',
	'guess',
];
const isolationNames: readonly (keyof IsolationColumns)[] = ['glance', 'rank', 'available', 'status'];

/** Returns the id of the new row. */
export function makeInsert(
	database: Database,
): (guid: string, columns: RecordColumns, isolation: IsolationColumns, since: number) => number {
	const names = ['guid', ...recordNames, ...isolationNames, 'state_since'];
	const statement = database.prepare(
		`INSERT INTO computer (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
	);
	return (guid, columns, isolation, since) =>
		statement.run(
			guid,
			...recordNames.map((name) => columns[name]),
			...isolationNames.map((name) => isolation[name]),
			since,
		).lastId;
}

/** Only what differs is written, so that indexes of untouched columns stay untouched. */
export function updateRow(database: Database, id: number, columns: Changes): void {
	const names = Object.keys(columns);
	if (names.length === 0) return;
	const set = names.map((name) => `${name} = ?`);
	database.run(`UPDATE computer SET ${set.join(', ')} WHERE id = ?`, ...Object.values(columns), id);
}

interface Lists {
	write(id: number, guid: string, columns: RecordColumns): void;
	rewrite(id: number, guid: string, columns: RecordColumns): void;
}

export function makeLists(database: Database): Lists {
	const address = database.prepare('INSERT INTO address VALUES (?, ?, ?, ?)');
	const mac = database.prepare('INSERT OR IGNORE INTO mac VALUES (?, ?)');
	const write = (id: number, guid: string, columns: RecordColumns): void => {
		writeTexts(database, id, searchTexts(guid, columns));
		for (const [place, text] of listOf(columns.ips).entries()) {
			address.run(id, place, fold(text), ipv4Number(text) ?? null);
		}
		for (const text of listOf(columns.macs)) mac.run(id, macDigits(text));
	};
	return {
		write,
		rewrite: (id, guid, columns) => {
			database.run('DELETE FROM address WHERE id = ?', id);
			database.run('DELETE FROM mac WHERE id = ?', id);
			write(id, guid, columns);
		},
	};
}

function writeTexts(database: Database, id: number, { host, numbers, others }: SearchTexts): void {
	database.run('INSERT OR REPLACE INTO search VALUES (?, ?, ?, ?)', id, host, numbers, others);
}

/** A name is a duplicate when more than one listed computer has it. */
export function markDuplicates(database: Database, { grown, changed }: Names): boolean {
	const count = database.prepare('SELECT count(*) AS n FROM computer WHERE host_fold = ? AND vanished_at IS NULL');
	const mark = database.prepare(
		'UPDATE computer SET duplicate = ?1 WHERE host_fold = ?2 AND vanished_at IS NULL AND duplicate <> ?1',
	);
	let rows = 0;
	for (const name of new Set([...grown, ...changed])) {
		const several = name !== '' && (count.get<{ readonly n: number }>(name)?.n ?? 0) > 1;
		// A new row is not marked, so that there is nothing to take back where only new rows came.
		if (several || changed.has(name)) rows += mark.run(several ? 1 : 0, name).changes;
	}
	return rows > 0;
}

/** Records keep the name that the group had when they were read. */
export function rename(database: Database, group: { readonly guid: string; readonly name: string }): void {
	const others = database.all<{ readonly group_name: string }>(
		'SELECT group_name FROM member WHERE group_guid = ? AND group_name <> ? AND n > 0',
		group.guid,
		group.name,
	);
	for (const { group_name: name } of others) renameMembers(database, group, name);
}

function renameMembers(
	database: Database,
	{ guid, name }: { readonly guid: string; readonly name: string },
	from: string,
) {
	const members = database.all<StoredComputer>(
		`SELECT * FROM computer JOIN reading USING (id)
     WHERE group_fold = ? AND group_guid = ? AND group_name = ? AND vanished_at IS NULL`,
		fold(from),
		guid,
		from,
	);
	for (const member of members) {
		const columns = { ...member, group_name: name, group_fold: fold(name) };
		updateRow(database, member.id, { group_name: columns.group_name, group_fold: columns.group_fold });
		writeTexts(database, member.id, searchTexts(member.guid, columns));
	}
}
