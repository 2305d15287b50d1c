import type { Host } from './tenant/host.ts';

/** Finds hosts whose name holds one of some texts; without regard to case, in the order of the hosts. */
export type NameIndex = (parts: readonly string[]) => readonly Host[];

/** All names in one text, because asking 100,000 objects for theirs costs more than the page that is asked for. */
export function createNameIndex(hosts: readonly Host[]): NameIndex {
  const text = hosts.map(({ lowerName }) => lowerName).join('\n');
  const starts = new Uint32Array(hosts.length);
  let at = 0;
  for (const [index, { lowerName }] of hosts.entries()) {
    starts[index] = at;
    at += lowerName.length + 1;
  }
  const search = (parts: readonly string[]): readonly Host[] => {
    const found = new Set(parts.flatMap((part) => occurrences(text, starts, part)));
    return [...found].toSorted((a, b) => a - b).flatMap((index) => hosts[index] ?? []);
  };
  // Names never change, and whoever reads page 2 has asked the same for page 1.
  const remembered = new Map<string, readonly Host[]>();
  return (parts) => {
    const key = parts.join('\n').toLowerCase();
    const found = remembered.get(key) ?? search(key.split('\n'));
    if (remembered.size >= searchesKept) remembered.clear();
    remembered.set(key, found);
    return found;
  };
}

const searchesKept = 16;

function occurrences(text: string, starts: Uint32Array, part: string): readonly number[] {
  const found: number[] = [];
  if (part === '') return found;
  let at = text.indexOf(part);
  while (at >= 0) {
    const index = lastNotAfter(starts, at);
    found.push(index);
    // On to the next name: one occurrence is enough.
    at = text.indexOf(part, starts[index + 1] ?? text.length);
  }
  return found;
}

/** Index of the greatest start that is not behind `at`. */
function lastNotAfter(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
