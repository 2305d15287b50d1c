/** Which of our own actions an entry of the audit log repeats. */
import type { LogEntry } from '#shared/model/incident.ts';

import type { ReadRecord } from './record.ts';

/** The service writes within this of our intent, by one clock. */
const nearMs = 120_000;

const families: Readonly<Record<string, (record: ReadRecord) => boolean>> = {
  svc_put_computers_isolation: (record) => changed(record, 'isolated') === 'true',
  svc_delete_computers_isolation: (record) => changed(record, 'isolated') === 'false',
  svc_move_computer: (record) => changed(record, 'isolated') === undefined && record.event !== 'delete',
  svc_set_group_policy: () => true,
  svc_set_file_list_files_by_sha: (record) => record.event === 'create',
  svc_delete_file_list_files_by_sha: (record) => record.event !== 'create',
};

/**
 * For each record the id of the intent that it repeats: the comment names the intent, or it is the same change of the same object
 * at the same time. An intent stands for one record, the nearest, so that somebody else's later change is not taken for ours.
 */
export function ownEntries(records: readonly ReadRecord[], intents: readonly LogEntry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const used = new Set<string>();
  const byObject = indexOf(intents);
  const pairs = records
    .flatMap((record) =>
      (byObject.get(record.target?.guid ?? '') ?? []).map((intent) => ({
        record,
        intent,
        distance: distanceOf(record, intent),
      })),
    )
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0));
  for (const { record, intent } of pairs) {
    if (found.has(record.key) || used.has(intent.id)) continue;
    found.set(record.key, intent.id);
    used.add(intent.id);
  }
  return found;
}

function indexOf(intents: readonly LogEntry[]): ReadonlyMap<string, readonly LogEntry[]> {
  const index = new Map<string, LogEntry[]>();
  for (const intent of intents)
    for (const guid of new Set(namedBy(intent))) index.set(guid, [...(index.get(guid) ?? []), intent]);
  return index;
}

/** All that an intent names: its target and its arguments. */
function namedBy({ target, args }: LogEntry): readonly string[] {
  const values = [target?.guid, ...Object.values(args ?? {})];
  return values.flatMap((value) => (typeof value === 'string' ? [value.toLowerCase()] : []));
}

/** Milliseconds between them, 0 where the comment names the intent; `undefined` when they are about different things. */
function distanceOf(record: ReadRecord, intent: LogEntry): number | undefined {
  const fits = families[intent.command ?? ''];
  if (fits === undefined || !fits(record) || !sameHash(record, intent)) return undefined;
  if (changed(record, 'comment')?.includes(intent.id.slice(-8)) === true) return 0;
  const distance = Math.abs(Date.parse(record.at) - Date.parse(intent.at));
  return distance <= nearMs ? distance + 1 : undefined;
}

/** The object is the same by its GUID already; an entry about an item of a list names the hash too. */
function sameHash(record: ReadRecord, intent: LogEntry): boolean {
  const sha = record.changes.find(({ name }) => name === 'sha' || name === 'sha256');
  return sha === undefined || namedBy(intent).includes((sha.new ?? sha.old ?? '').toLowerCase());
}

function changed(record: ReadRecord, name: string): string | undefined {
  return record.changes.find((change) => change.name === name)?.new ?? undefined;
}
