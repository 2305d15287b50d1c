import type { Fields } from '../types.ts';

/** The values of every field of a name (given in lower case), in order. */
export function valuesOf(fields: Fields, name: string): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const key = fields[index];
    if (key?.length === name.length && key.toLowerCase() === name) found.push(fields[index + 1] ?? '');
  }
  return found;
}

/**
 * The value of a field that proves something. `null`: there is none; `'several'`: there are more, and then the instance
 * might read another one than we do, so it proves nothing.
 */
export function proofOf(fields: Fields, name: string): { readonly value: string } | 'several' | null {
  const values = valuesOf(fields, name.toLowerCase());
  const [value] = values;
  if (value === undefined) return null;
  return values.length === 1 ? { value } : 'several';
}

/** Text as the Latin-1 form of its UTF-8 bytes, as fields carry it; control characters are left out. */
export function fieldText(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is removed
  return Buffer.from(text.replaceAll(/[\u0000-\u001f\u007f]/g, ''), 'utf8').toString('latin1');
}
