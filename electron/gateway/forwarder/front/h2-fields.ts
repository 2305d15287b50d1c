/** Fields as node:http2 takes and gives them. */
import type { Fields } from '../message-types.ts';

/** Never on an HTTP/2 answer: node:http2 throws on them (RFC 9113, section 8.2.2). */
export const ofTheConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
]);
/** Must not be in a trailer section (RFC 9110, section 6.5.1), whatever a list of names lets through. */
export const neverTrailing = new Set([...ofTheConnection, 'content-length', 'trailer', 'host']);

/** Names in lower case, each with its value. */
export function* pairs(fields: Fields, without: ReadonlySet<string>): Generator<[string, string]> {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    if (!without.has(name)) yield [name, fields[at + 1] ?? ''];
  }
}

/** A name that comes again becomes a list, as node:http2 wants it. */
export function add(headers: Record<string, string | string[] | number>, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else headers[name] = [...(Array.isArray(before) ? before : [String(before)]), value];
}

export function rawFields(value: unknown): Fields {
  return Array.isArray(value) ? value.map(String) : [];
}
