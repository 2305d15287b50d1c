import type { Fields } from '../types.ts';

/** The value of the only field of a name (given in lower case); `null`: there is none; `undefined`: there are several. */
export function only(fields: Fields, name: string): string | null | undefined {
  let found: string | null = null;
  for (let at = 0; at < fields.length; at += 2) {
    const given = fields[at] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (found !== null) return undefined;
    found = fields[at + 1] ?? '';
  }
  return found;
}

/** All values of a name as one list; `null`: there is none. */
export function combined(fields: Fields, name: string): string | null {
  let found: string | null = null;
  for (let at = 0; at < fields.length; at += 2) {
    const given = fields[at] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    found = found === null ? (fields[at + 1] ?? '') : `${found}, ${fields[at + 1] ?? ''}`;
  }
  return found;
}
