/** The editor of file lists on the local copies of this process. */
import { join } from 'node:path';

import type { Holder } from '#shared/model/hash-marks.ts';

import { getActivity } from '#core/service/api/endpoints/computers.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { Directories } from '#core/replicas/directories.ts';
import type { EventStores } from '#core/replicas/event-stores.ts';
import type { Guards } from '#core/actions/guards/types.ts';
import type { CommitJobs } from './commit.ts';
import { openDrafts } from './drafts.ts';
import { createListEditor } from './editor.ts';
import { createSystemFiles, systemFilesName } from './system-files.ts';
import type { EditedList, EditorSource, ListEditor } from './types.ts';
import type { Clock } from '#core/base/ports.ts';

export interface ListEditorsOptions {
  readonly profile: string;
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly directories: Pick<Directories, 'open'>;
  readonly eventStores: Pick<EventStores, 'open'>;
  readonly guards: Pick<Guards, 'rules'>;
  readonly jobs: () => CommitJobs;
  readonly onTrouble: (message: string, error: unknown) => void;
}

export interface LazyListEditor {
  get(): ListEditor;
  /** Only if it was made. */
  opened(): ListEditor | undefined;
}

/** Made when it is first asked for: the drafts' file is opened then. */
export function lazyListEditor(options: ListEditorsOptions): LazyListEditor {
  let made: ListEditor | undefined;
  return { get: () => (made ??= makeListEditor(options)), opened: () => made };
}

function makeListEditor(options: ListEditorsOptions): ListEditor {
  const path = join(options.profile, systemFilesName);
  return createListEditor({
    clock: options.clock,
    drafts: openDrafts(options.profile),
    systemFiles: createSystemFiles({ path, onTrouble: options.onTrouble }),
    source: (connection) => sourceOf(options, connection),
    jobs: options.jobs(),
    onTrouble: options.onTrouble,
  });
}

function sourceOf(options: ListEditorsOptions, connection: string): EditorSource {
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
