/** The local copy of groups, policies and lists, in words. */
import type { DirectoryState } from '#shared/contract/directory.ts';

import { formatCount } from '../../ui/time.ts';

const products: Readonly<Record<string, string>> = {
  windows: 'Windows',
  mac: 'macOS',
  linux: 'Linux',
  android: 'Android',
  ios: 'iOS',
  network: 'Network',
};

/** A product as a person reads it; one that is not known stays as the service spells it. */
export function productTitle(product: string): string {
  return products[product] ?? product;
}

/** Products in the order in which screens show them: those that are known first. */
export function inProductOrder(found: Iterable<string>): readonly string[] {
  const known = Object.keys(products);
  const rank = (product: string) => (known.includes(product) ? known.indexOf(product) : known.length);
  return [...new Set(found)].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
}

/** `1 call`, `44 calls`. */
export function calls(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'call' : 'calls'}`;
}

/** The price of reading the listings again, and with `details` of everything, such as `about 5 calls`. */
export function refreshPrice(state: DirectoryState | undefined, details: boolean): string {
  if (state === undefined || state.refreshCalls === null) return 'price unknown';
  return `about ${calls(state.refreshCalls + (details ? (state.detailCalls ?? 0) : 0))}`;
}

const listTypes: Readonly<Record<string, string>> = {
  simple_custom_detections: 'simple custom detections',
  application_blocking: 'application blocking',
  allowed_applications: 'allowed applications',
};

/** The kind of a file list in words; one that is not known stays as the service spells it. */
export function listTypeTitle(type: string): string {
  return listTypes[type] ?? type;
}
