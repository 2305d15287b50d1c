/** Changes that were asked for and never got an outcome: their process was killed, or the disk refused the entry. */
import type { LogEntry } from '#shared/model/incident.ts';

import type { WriteLocks } from '#core/service/connections/types.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import { lockOf } from './target.ts';

/** How far back to look: more changes than anybody starts between two starts of the console. */
const newest = 1000;

const message =
  'No outcome was written down: the process ended before it, or the log could not be written. ' +
  'Nobody knows whether the request took effect: read the state.';

/**
 * Writes down that nobody knows what came of them. A change that still runs holds its lock until after its outcome is
 * written, so it is left alone. Returns how many there were.
 */
export function closeOrphans(log: Pick<IncidentLog, 'append' | 'query'>, locks: Pick<WriteLocks, 'isHeld'>): number {
  const left = withoutOutcome(log).filter((intent) => !isRunning(locks, intent));
  if (left.length === 0) return 0;
  // Asked again after the look at the locks: one may have ended in between.
  const still = new Set(withoutOutcome(log).map(({ id }) => id));
  const orphans = left.filter(({ id }) => still.has(id));
  for (const { id, incident, surface, command, target, connection } of orphans) {
    const about = { about: id, incident, surface, command, target, connection };
    log.append({ ...about, kind: 'command.outcome_unknown', message, data: { code: 'outcome_unknown' } });
  }
  return orphans.length;
}

function withoutOutcome(log: Pick<IncidentLog, 'query'>): readonly LogEntry[] {
  const { entries } = log.query({ writesOnly: true, limit: newest });
  const answered = new Set(entries.filter(({ kind }) => kind !== 'command.observed').map(({ about }) => about));
  return entries.filter(({ kind, id }) => kind === 'command.requested' && !answered.has(id));
}
function isRunning(locks: Pick<WriteLocks, 'isHeld'>, { connection, args }: LogEntry): boolean {
  const target = lockOf(args ?? {});
  return connection !== null && target !== null && locks.isHeld(connection.id, target);
}
