/** `0`, `12 kB`, `3.4 MB`, `1.2 GB`: powers of a thousand, as disks are sold and shown. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1) return '0';
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1] ?? ''}`;
}
