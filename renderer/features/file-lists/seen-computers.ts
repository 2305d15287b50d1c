import type { EventRow } from '#shared/contract/events.ts';

/** The computers of these events, each once, in the order of their newest event. */
export function computersOf(
  rows: readonly Pick<EventRow, 'guid' | 'hostname'>[],
): readonly { readonly guid: string; readonly hostname: string }[] {
  const found = new Map<string, string>();
  for (const { guid, hostname } of rows) if (guid !== null && !found.has(guid)) found.set(guid, hostname);
  return [...found].map(([guid, hostname]) => ({ guid, hostname: hostname === '' ? guid : hostname }));
}
