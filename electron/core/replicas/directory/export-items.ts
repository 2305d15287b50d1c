import type { FileListItemRow } from '#shared/contract/directory.ts';

import { csvLine, type Cell } from '#shared/text/csv.ts';
import type { ItemWindows } from './item-windows.ts';
import type { ItemOrder } from './types.ts';

/** What one export holds at most, in characters. */
const mostText = 32 * 2 ** 20;
const step = 500;

const cells: readonly (readonly [title: string, value: (row: FileListItemRow) => Cell])[] = [
  ['sha256', (row) => row.sha256],
  ['note', (row) => row.description],
  ['source', (row) => row.source],
  ['first_seen_here', (row) => row.firstSeen],
  ['seen_on_computers', (row) => row.seen.computers],
  ['names', (row) => row.seen.names.join(' ')],
  ['dispositions', (row) => row.seen.dispositions.join(' ')],
];

/**
 * All items that match, in their order as it is now. CSV has a header line, and an apostrophe before cells that a
 * spreadsheet would run; JSON is one array. Pieces are put together with pauses, so that a window is not kept waiting.
 */
export async function exportItems(
  windows: Pick<ItemWindows, 'ordered' | 'rows'>,
  guid: string,
  { format, ...order }: ItemOrder & { readonly format: 'csv' | 'json' },
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const hashes = windows.ordered(guid, order);
  const lines: string[] = [];
  let length = 0;
  for (let offset = 0; offset < hashes.length && length < mostText; offset += step) {
    signal?.throwIfAborted();
    const rows = windows.rows(guid, hashes.slice(offset, offset + step));
    const piece = rows
      .map(format === 'csv' ? lineOf : (row) => JSON.stringify(row))
      .join(format === 'csv' ? '' : ',\n');
    if (piece !== '') lines.push(piece);
    length += piece.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const cut = length >= mostText;
  if (format === 'json') return { text: `[\n${lines.join(',\n')}\n]\n`, cut };
  return { text: `${csvLine(cells.map(([title]) => title))}${lines.join('')}`, cut };
}

function lineOf(row: FileListItemRow): string {
  return csvLine(cells.map(([, value]) => value(row)));
}
