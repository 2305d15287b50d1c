import type { StoredCopy } from '#shared/contract/local.ts';

import { formatCount } from '../../ui/time.ts';

/** `0`, `12 kB`, `3.4 MB`, `1.2 GB`: powers of a thousand, as disks are sold and shown. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1) return '0';
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1] ?? ''}`;
}

/** Records of one answer of the service, at most (API reference, "Pagination"). */
const pageSize = 500;

/** What it costs to have a copy again: `about 4 calls`. What is read only where somebody looks costs nothing by itself. */
export function rereadPrice({ kind, records }: Pick<StoredCopy, 'kind' | 'records'>): string {
  if (kind === 'trajectories') return 'read again where somebody looks: 1 call each';
  const calls = Math.max(1, Math.ceil((records ?? 0) / pageSize));
  if (records !== null) return `read again: about ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  return kind === 'directory'
    ? 'read again: the lists a few calls, details 1 call each where somebody asks for them'
    : `read again: 1 call for ${formatCount(pageSize)}`;
}
