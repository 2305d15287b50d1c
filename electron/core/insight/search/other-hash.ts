import { parseExact } from '#shared/model/exact-json.ts';

/**
 * The SHA-256 that a record of the service gives together with a SHA-1 or MD5: the way from what the service cannot be
 * asked with to what it can.
 */
export function sha256Of(
  json: string,
  kind: 'sha1' | 'md5',
  hash: string,
): { readonly value: string; readonly note: string } | null {
  if (json === '') return null;
  const found = identityIn(parseExact(json), kind, hash);
  return found === null ? null : { value: found.toLowerCase(), note: `has the ${kind === 'md5' ? 'MD5' : 'SHA-1'}` };
}

function identityIn(value: unknown, kind: 'sha1' | 'md5', hash: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const [own, sha256]: readonly unknown[] = [Reflect.get(value, kind), Reflect.get(value, 'sha256')];
  if (typeof own === 'string' && own.toLowerCase() === hash && typeof sha256 === 'string') return sha256;
  for (const inner of Object.values(value)) {
    const found = identityIn(inner, kind, hash);
    if (found !== null) return found;
  }
  return null;
}
