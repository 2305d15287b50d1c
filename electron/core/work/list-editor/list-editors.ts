/** The editor of file lists on the local copies of this process. */
import { join } from 'node:path';

import type { Holder } from '#shared/model/hash-marks.ts';

import { getActivity } from '#core/service/api/endpoints/computers.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { Directories } from '#core/replicas/directory/replica.ts';
import type { EventStores } from '#core/replicas/events/replica.ts';
import type { KnownHashes } from '#core/actions/guards/targets.ts';
import type { Guards } from '#core/actions/guards/types.ts';
import type { CommitJobs } from './commit.ts';
import { openDrafts } from './drafts.ts';
import { createListEditor, type EditorOptions } from './editor.ts';
import { knowledgeOf } from './known.ts';
import { createSystemFiles, systemFilesName } from './system-files.ts';
import type { EditedList, EditorSource, ListEditor } from './types.ts';
import type { Clock } from '#core/base/ports.ts';

export interface ListShelfOptions {
	readonly profile: string;
	readonly clock: Clock;
	readonly connections: Pick<Connections, 'find' | 'client'>;
	readonly directories: Pick<Directories, 'open'>;
	readonly eventStores: Pick<EventStores, 'open'>;
	readonly guards: Pick<Guards, 'rules'>;
	readonly onTrouble: (message: string, error: unknown) => void;
}

/** What a list editor works with: drafts, the system's own files, and what the local copies know. */
export interface ListShelf {
	/** The drafts' file is opened when it is first needed. */
	open(): Pick<EditorOptions, 'drafts' | 'systemFiles'>;
	readonly source: (connection: string) => EditorSource;
	/** What is known against hashes, as the guards need it. Keys are lower case. */
	readonly known: KnownHashes;
	forget(connection: string): void;
	stop(): Promise<void>;
}

export function createListShelf(options: ListShelfOptions): ListShelf {
	let opened: Pick<EditorOptions, 'drafts' | 'systemFiles'> | undefined;
	const open = () =>
		(opened ??= {
			drafts: openDrafts(options.profile),
			systemFiles: createSystemFiles({ path: join(options.profile, systemFilesName), onTrouble: options.onTrouble }),
		});
	const source = (connection: string): EditorSource => sourceOf(options, connection);
	return {
		open,
		source,
		known: knowledgeOf(open, source),
		forget: (connection) => opened?.drafts.forget(connection),
		async stop() {
			await opened?.systemFiles.stop();
			opened?.drafts.stop();
		},
	};
}

/** The editor of this process, made when it is first asked for. Whoever made it stops it before the shelf. */
export interface ListEditors {
	get(): ListEditor;
	stop(): void;
}

export function createListEditors(shelf: ListShelf, jobs: CommitJobs, options: ListShelfOptions): ListEditors {
	const { clock, onTrouble } = options;
	let made: ListEditor | undefined;
	return {
		get: () => (made ??= createListEditor({ clock, ...shelf.open(), source: shelf.source, jobs, onTrouble })),
		stop: () => made?.stop(),
	};
}

function sourceOf(options: ListShelfOptions, connection: string): EditorSource {
	const { id } = options.connections.find(connection);
	const directory = options.directories.open(id);
	const prevalentFrom = (): number => options.guards.rules(id).prevalentHash;
	const lists = () => directory.fileLists().lists;
	return {
		list: (guid) => {
			const row = lists().find((one) => one.guid === guid);
			if (row === undefined) return undefined;
			const read = row.itemsRead.of !== null && row.itemsRead.read >= row.itemsRead.of;
			return { guid: row.guid, name: row.name, type: row.type, read };
		},
		holdings: (list, hashes) => {
			const there = lists().filter(({ vanishedAt }) => vanishedAt === null);
			const others = new Map(there.map(({ guid, name, type }) => [guid, { name, type }]));
			return split(list, directory.holdings(hashes), others);
		},
		hashesOf: (guid) => directory.hashesOf(guid),
		seen: (hashes) => {
			const store = options.eventStores.open(id);
			return new Map(hashes.map((hash) => [hash, store.seen(hash)]));
		},
		prevalence: async (sha256, signal) => {
			const answer = await getActivity(options.connections.client(id), { q: sha256, limit: 1 }, { signal });
			return answer.total ?? answer.records.length;
		},
		prevalentFrom,
		version: () => `${directory.state().revision} ${options.eventStores.open(id).state().revision} ${prevalentFrom()}`,
	};
}

function split(
	list: EditedList,
	held: readonly { readonly sha256: string; readonly guid: string }[],
	others: ReadonlyMap<string, Holder>,
): ReturnType<EditorSource['holdings']> {
	const here = new Set<string>();
	const elsewhere = new Map<string, Holder[]>();
	for (const { sha256, guid } of held) {
		const other = others.get(guid);
		if (guid === list.guid) here.add(sha256);
		else if (other !== undefined) {
			const known = elsewhere.get(sha256) ?? [];
			known.push(other);
			elsewhere.set(sha256, known);
		}
	}
	return { here, elsewhere };
}
