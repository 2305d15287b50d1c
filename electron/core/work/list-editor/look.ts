/** Rows of a draft with their marks. What was looked up of ten thousand hashes is kept for as long as it holds. */
import { CordonError } from '#shared/contract/errors.ts';
import { isSha256 } from '#shared/model/formats.ts';
import type { DraftRow, DraftState } from '#shared/model/list-draft.ts';

import type { DraftId, Drafts } from './drafts.ts';
import { linted, type LintFacts, type StagedRow } from './lint.ts';
import type { EditedList, EditorSource, SystemFiles } from './types.ts';

export interface LookParts {
	readonly drafts: Drafts;
	readonly systemFiles: SystemFiles;
	readonly source: (connection: string) => EditorSource;
}

export type Look = (id: DraftId) => { readonly rows: readonly DraftRow[]; readonly state: DraftState };

/** What the local copies say; the system's files are compared meanwhile, and come in later. */
interface Known {
	readonly key: string;
	readonly staged: readonly StagedRow[];
	readonly facts: Omit<LintFacts, 'systemFiles'>;
}

/** Throws `not_found`. */
export function listOf(copies: EditorSource, guid: string): EditedList {
	const list = copies.list(guid);
	if (list === undefined) throw new CordonError('not_found', 'There is no such file list.', { field: 'list' });
	return list;
}

export function makeLook({ drafts, systemFiles, source }: LookParts): Look {
	const seen = makeSeen();
	let known: Known | undefined;
	let kept: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;
	const knownOf = (id: DraftId, copies: EditorSource, list: EditedList, revision: number): Known => {
		const version = copies.version();
		const key = JSON.stringify([id, revision, version, list]);
		if (known?.key === key) return known;
		const staged = drafts.rows(id);
		const hashes = staged.map((row) => row.key).filter((text) => isSha256(text));
		const facts = {
			...copies.holdings(list, hashes),
			type: list.type,
			listRead: list.read,
			seen: seen(copies, `${id.connection} ${version}`, hashes),
			prevalence: drafts.prevalence(id),
			prevalentFrom: copies.prevalentFrom(),
		};
		return (known = { key, staged, facts });
	};
	return (id) => {
		const copies = source(id.connection);
		const list = listOf(copies, id.list);
		const revision = drafts.revision(id);
		const progress = systemFiles.progress();
		const { key: knownKey, staged, facts } = knownOf(id, copies, list, revision);
		const key = `${knownKey} ${progress.known}`;
		if (kept?.key !== key) {
			const all: LintFacts = { ...facts, systemFiles: systemFiles.known() };
			kept = { key, rows: staged.map((row) => linted(row, all)) };
		}
		return { rows: kept.rows, state: { ...stateOf(list, revision, kept.rows, progress), job: drafts.lastJob(id) } };
	};
}

/** One question for each hash is what takes the time: those that were asked before are not asked again. */
function makeSeen() {
	let under = '';
	let answers = new Map<string, NonNullable<ReturnType<LintFacts['seen']['get']>>>();
	return (copies: EditorSource, version: string, hashes: readonly string[]): LintFacts['seen'] => {
		if (version !== under) answers = new Map();
		under = version;
		for (const [hash, answer] of copies.seen(hashes.filter((each) => !answers.has(each)))) answers.set(hash, answer);
		return answers;
	};
}

function stateOf(
	list: EditedList,
	revision: number,
	rows: readonly DraftRow[],
	progress: DraftState['systemFiles'],
): Omit<DraftState, 'job'> {
	const count = (wanted: (row: DraftRow) => boolean): number => rows.filter(wanted).length;
	return {
		list: { guid: list.guid, name: list.name, type: list.type },
		revision,
		rows: rows.length,
		adds: count(({ operation }) => operation === 'add'),
		removes: count(({ operation }) => operation === 'remove'),
		ready: count(({ verdict }) => verdict === 'ready' || verdict === 'amber'),
		refused: count(({ verdict }) => verdict === 'refused'),
		red: count(({ verdict }) => verdict === 'red'),
		amber: count(({ verdict }) => verdict === 'amber'),
		idle: count(({ verdict }) => verdict === 'idle'),
		listRead: list.read,
		systemFiles: progress,
	};
}
