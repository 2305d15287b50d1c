/** References in answers, as the instance sees itself, made into ones that work from outside. */
import type { ForwardedInstance } from '../types.ts';

/** Where an instance stands, as it may name itself: behind `http://`, lower case. */
export function ownAuthorities(instance: ForwardedInstance): readonly string[] {
  const port = `:${String(instance.listenPort)}`;
  const told = /^(?:preserve|loopback)$/.test(instance.hostHeader) ? [] : [instance.hostHeader.toLowerCase()];
  return [...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'].map((host) => host + port), ...told];
}

function isUnder(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  const next = path.charAt(prefix.length);
  return next === '' || next === '/' || next === '?' || next === '#';
}

/**
 * A reference to the instance itself becomes one below the prefix; one that is below it already (the instance minds
 * `X-Forwarded-Prefix`), a relative one and one to another host stay. `authority`: what the client called us.
 */
export function rewriteReference(reference: string, prefix: string, authority: string, own: readonly string[]): string {
  if (reference.startsWith('/') && !reference.startsWith('//')) {
    return isUnder(reference, prefix) ? reference : prefix + reference;
  }
  const match = /^(?:https?:)?\/\/([^/?#]*)(.*)$/i.exec(reference);
  if (match === null) return reference;
  const host = (match[1] ?? '').toLowerCase();
  const rest = match[2] ?? '';
  if (!own.includes(host) && host !== authority.toLowerCase()) return reference;
  if (isUnder(rest, prefix)) return rest;
  return prefix + (rest.startsWith('/') ? rest : `/${rest}`);
}

/** `5; url=/next`, in the ways that browsers take it. Linear in the value, whatever an instance sends. */
export function rewriteRefresh(value: string, rewrite: (reference: string) => string): string {
  const behind = /^\s*[0-9.]+\s*[;,]\s*(?:url\s*=\s*)?/i.exec(value)?.[0].length;
  if (behind === undefined) return value;
  const quote = value.charAt(behind);
  const isQuoted = quote === '"' || quote === "'";
  const from = isQuoted ? behind + 1 : behind;
  const closing = isQuoted ? value.indexOf(quote, from) : -1;
  const to = closing === -1 ? value.trimEnd().length : closing;
  return from >= to ? value : value.slice(0, from) + rewrite(value.slice(from, to)) + value.slice(to);
}
