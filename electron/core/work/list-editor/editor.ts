import { CordonError } from '#shared/contract/errors.ts';
import { isSha256, normalGuid, normalSha256 } from '#shared/model/formats.ts';
import type { DraftRow, DraftView, HashSource } from '#shared/model/list-draft.ts';

import type { Clock } from '#core/base/ports.ts';
import type { DraftId, Drafts, NewRow } from './drafts.ts';
import { planOf, watchCommits, type CommitJobs } from './commit.ts';
import { exportDraft } from './export.ts';
import { listOf, makeLook, type Look } from './look.ts';
import { readSource, reportOf } from './sources/read.ts';
import type { ReadSource } from './sources/types.ts';
import type { EditorSource, ListEditor, ReadyChange, SystemFiles } from './types.ts';

export interface EditorOptions {
	readonly clock: Clock;
	readonly drafts: Drafts;
	readonly systemFiles: SystemFiles;
	readonly source: (connection: string) => EditorSource;
	readonly jobs: CommitJobs;
	readonly onTrouble: (message: string, error: unknown) => void;
}

/** A list has room for so many staged rows; more would be a file to be split, not a change to be looked through. */
const mostRows = 100_000;

export function createListEditor(options: EditorOptions): ListEditor {
	const { drafts, clock, systemFiles } = options;
	const look = makeLook(options);
	const unwatch = watchCommits(options);
	const read = (source: HashSource): ReadSource => readSource(source, clock.now());
	return {
		inspect: (source) => reportOf(read(source)),
		state: (given) => look(idOf(given)).state,
		rows: (given, { view, offset, limit }) => {
			const { rows, state } = look(idOf(given));
			// A draft from before the program was started is compared as well.
			if (rows.length > 0) systemFiles.look();
			const matching = rows.filter((row) => isIn(row, view));
			return {
				rows: matching.slice(offset, offset + limit),
				offset,
				matching: matching.length,
				revision: state.revision,
			};
		},
		stage: (given, operation, source) => {
			const id = idOf(given);
			listOf(options.source(id.connection), id.list);
			systemFiles.look();
			const found = read(source);
			checkRoom(drafts.rows(id).length + found.found.length);
			const counts = drafts.stage(id, operation, newRows(found, source.name));
			return { ...counts, report: reportOf(found), state: look(id).state };
		},
		...changes(options, look),
		prevalence: async (given, keys, signal) => {
			const id = idOf(given);
			const source = options.source(id.connection);
			for (const key of keys.filter((one) => isSha256(one)))
				drafts.setPrevalence(id, key, await source.prevalence(key, signal));
			return look(id).state;
		},
		difference: (given, other) => differenceOf(options, idOf(given), other),
		export: (given, format) => {
			const { rows, state } = look(idOf(given));
			return exportDraft(state, rows, format, clock.now());
		},
		ready: (given) => readyOf(look(idOf(given)).rows),
		plan: async (given, wish, signal) => {
			const id = idOf(given);
			const { rows, state } = look(id);
			return await planOf(options, id, {
				list: state.list.name,
				read: state.listRead,
				ready: readyOf(rows),
				wish,
				signal,
			});
		},
		stop: unwatch,
	};
}

function changes({ drafts }: EditorOptions, look: Look): Pick<ListEditor, 'annotate' | 'drop' | 'discard'> {
	return {
		annotate: (given, keys, change) => {
			const id = idOf(given);
			drafts.annotate(id, keys, change);
			return look(id).state;
		},
		drop: (given, keys) => {
			const id = idOf(given);
			drafts.drop(id, keys);
			return look(id).state;
		},
		discard: (given) => {
			const id = idOf(given);
			drafts.discard(id);
			return look(id).state;
		},
	};
}

function readyOf(rows: readonly DraftRow[]): readonly ReadyChange[] {
	return rows.flatMap(({ verdict, sha256, operation, note, reason }) =>
		(verdict === 'ready' || verdict === 'amber') && sha256 !== null ? [{ sha256, operation, note, reason }] : [],
	);
}

function idOf({ connection, list }: DraftId): DraftId {
	return { connection, list: normalGuid(list) };
}

function checkRoom(rows: number): void {
	if (rows <= mostRows) return;
	throw new CordonError('usage', `A draft holds at most ${mostRows} rows; with this file it would have ${rows}.`, {
		field: 'source',
		fix: 'Commit or discard what is staged, or split the file.',
	});
}

function newRows({ found }: ReadSource, source: string): readonly NewRow[] {
	return found.map(({ text, note, place }) => ({
		key: isSha256(text) ? normalSha256(text) : text,
		note,
		source,
		place,
	}));
}

function isIn({ verdict }: DraftRow, view: DraftView): boolean {
	return view === 'all' || view === verdict || (view === 'ready' && verdict === 'amber');
}

function differenceOf(
	options: EditorOptions,
	id: DraftId,
	other: Parameters<ListEditor['difference']>[1],
): ReturnType<ListEditor['difference']> {
	const copies = options.source(id.connection);
	const here = new Set(copies.hashesOf(id.list));
	const unread = [listOf(copies, id.list), ...('list' in other ? [listOf(copies, normalGuid(other.list))] : [])]
		.filter(({ read }) => !read)
		.map(({ name }) => name);
	const there = new Set('list' in other ? copies.hashesOf(normalGuid(other.list)) : hashesIn(options, other.source));
	return {
		onlyHere: [...here].filter((hash) => !there.has(hash)),
		onlyThere: [...there].filter((hash) => !here.has(hash)),
		both: [...here].filter((hash) => there.has(hash)).length,
		uncertain: unread.length === 0 ? null : `Not read to the end: ${unread.join(', ')}.`,
	};
}

function hashesIn({ clock }: EditorOptions, source: HashSource): readonly string[] {
	return readSource(source, clock.now()).found.flatMap(({ text }) => (isSha256(text) ? [normalSha256(text)] : []));
}
