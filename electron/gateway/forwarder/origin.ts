/** Pages of other sites: a browser sends requests for them with all that the operator's machine may reach. */
import { only } from './headers/lookup.ts';
import { splitAuthority } from './http1/authority.ts';
import type { RequestHead } from './message-types.ts';

/** `host:port` in lower case; the port of https where none is given. */
function place(authority: string): string | null {
  const parts = splitAuthority(authority.toLowerCase());
  return parts === null ? null : `${parts.host}:${String(parts.port ?? 443)}`;
}

function isOwnOrigin(origin: string, authority: string): boolean {
  const match = /^https:\/\/([^/?#]+)$/i.exec(origin);
  const there = match?.[1] === undefined ? null : place(match[1]);
  return there !== null && there === place(authority);
}

function isListed(origin: string, origins: readonly string[]): boolean {
  const lower = origin.toLowerCase();
  return origins.some((one) => one === '*' || one.toLowerCase().replace(/\/$/, '') === lower);
}

/**
 * A person follows a link to here: the other site learns nothing of the answer. To a page it may lead by itself; to anything
 * else only by a click, so that no site can call an interface by opening it.
 */
function isNavigation({ method, fields }: RequestHead, isPage: boolean): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (only(fields, 'sec-fetch-mode') !== 'navigate' || only(fields, 'sec-fetch-dest') !== 'document') return false;
  return isPage || only(fields, 'sec-fetch-user') === '?1';
}

/**
 * Whether a browser sends it for a page of another site that is not allowed to. Clients that are no browsers say neither
 * `Sec-Fetch-Site` nor `Origin`, and pass; neither can be forged by a page.
 */
export function isCrossSite(head: RequestHead, origins: readonly string[], isPage: boolean): boolean {
  const { fields, authority } = head;
  const site = only(fields, 'sec-fetch-site');
  const origin = only(fields, 'origin');
  if (site === null && origin === null) return false;
  if (site === undefined || origin === undefined) return true;
  if (origin !== null && isListed(origin, origins)) return false;
  if (site === 'none') return false;
  if (site === 'same-origin') return origin !== null && !isOwnOrigin(origin, authority);
  if (site === null && origin !== null) return !isOwnOrigin(origin, authority);
  return !isNavigation(head, isPage);
}
