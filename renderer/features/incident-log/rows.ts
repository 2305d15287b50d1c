import type { JoinedRow } from '#shared/contract/log.ts';
import type { LogEntry } from '#shared/model/incident.ts';

export function keyOf(row: JoinedRow): string {
  return row.kind === 'own' ? row.entry.id : row.record.key;
}

/** Our own entries among the rows. */
export function ownEntries(rows: readonly JoinedRow[]): readonly LogEntry[] {
  return rows.flatMap((row) => (row.kind === 'own' ? [row.entry] : []));
}

/** Further entries that were found apart, without those that are among the rows already. */
export function withEntries(entries: readonly LogEntry[], more: readonly LogEntry[]): readonly LogEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  return [...entries, ...more.filter(({ id }) => !known.has(id))];
}
