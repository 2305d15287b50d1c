import type { StoredCopy } from '#shared/contract/local.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

/** Records of one answer of the service, at most (API reference, "Pagination"). */
const pageSize = 500;

/** What it costs to have a copy again: `about 4 calls`. What is read only where somebody looks costs nothing by itself. */
export function rereadPrice({ kind, records }: Pick<StoredCopy, 'kind' | 'records'>): string {
  if (kind === 'trajectories') return 'reloaded when viewed: 1 call each';
  const calls = Math.max(1, Math.ceil((records ?? 0) / pageSize));
  if (records !== null) return `reload: about ${counted(calls, nouns.call)}`;
  return kind === 'directory'
    ? 'reload: a few calls for the lists, 1 call each for details'
    : `reload: 1 call for ${formatCount(pageSize)}`;
}
