/** Whether a reading is the end of a request, and what the log says then. Pure. */
import type { ComputerRow } from '#shared/model/computer.ts';
import type { LogEntry } from '#shared/model/incident.ts';
import { pendingTooLongMs, type IsolationGlance } from '#shared/model/isolation.ts';

import type { NewEntry } from '../incidents/types.ts';
import { receiptOf, wantedState, withoutRefused } from './receipt.ts';
import { plainState } from './words.ts';

export type Verdict =
  | { readonly kind: 'observed'; readonly intent: LogEntry }
  /** The service may show the old state for a while after it took a request. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'done' };

/** `entries` are the log's about one computer; `state` is not pending; `waitingMs` is how long it was followed. */
export function verdictOn(entries: readonly LogEntry[], state: IsolationGlance, waitingMs: number): Verdict {
  const receipt = receiptOf(withoutRefused(entries));
  const intent = entries.find((entry) => entry.id === receipt?.requested.entry);
  if (receipt === null || intent === undefined || receipt.observed !== undefined) return { kind: 'done' };
  const seen = state === 'unavailable' ? 'not_isolated' : state;
  if (seen === wantedState(receipt.action)) return { kind: 'observed', intent };
  return waitingMs < pendingTooLongMs ? { kind: 'keep' } : { kind: 'done' };
}

/** `now` in Unix milliseconds. */
export function observedEntry(intent: LogEntry, row: ComputerRow, now: number): NewEntry {
  const seconds = Math.max(0, Math.round((now - Date.parse(intent.at)) / 1000));
  const state = row.isolation === 'unavailable' ? 'not_isolated' : row.isolation;
  return {
    kind: 'command.observed',
    about: intent.id,
    incident: intent.incident,
    surface: intent.surface,
    command: intent.command,
    target: intent.target,
    connection: intent.connection,
    message: `${row.hostname === '' ? row.guid : row.hostname} is ${plainState(state)}: seen ${seconds.toLocaleString('en-US')} s after it was asked for.`,
    data: { state },
  };
}
