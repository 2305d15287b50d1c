/** Two policies, field by field: pure, so that it can be tested without a page. */
import { stringifyExact } from '#shared/model/exact-json.ts';

import type { DiffLine } from '../../commands/compare/diff-line.ts';
import { listTypeTitle, productTitle } from '../../commands/directory/directory-words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What says nothing about what a policy does: it is another for each. */
const ownNames: ReadonlySet<string> = new Set(['guid', 'links']);

/** What only the details of a policy tell, one call each. */
const ofDetails: ReadonlySet<string> = new Set([
  'file_lists',
  'ip_lists',
  'isolation_ip_lists',
  'exclusion_sets',
  'used_in_groups',
]);

/**
 * Fields of two records side by side. Lists of named things are compared by GUID, one line each, so that a list that is
 * only in one of them stands alone. `unread`: whose details nobody has read, so that it lacks nothing for certain.
 */
export function diffOf(a: Fields, b: Fields, unread = { a: false, b: false }): readonly DiffLine[] {
  return linesOf(a, b).map(({ field, ...line }) => ({
    title: fieldTitle(field),
    a: unread.a && ofDetails.has(field) ? null : line.a,
    b: unread.b && ofDetails.has(field) ? null : line.b,
  }));
}

interface FieldLine {
  readonly field: string;
  readonly a: string;
  readonly b: string;
}

function linesOf(a: Fields, b: Fields): readonly FieldLine[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => !ownNames.has(field));
  return fields.flatMap((field) => {
    const [one, other] = [a[field], b[field]];
    return isNamedList(one) || isNamedList(other)
      ? listLines(field, one, other)
      : [{ field, a: wordOf(field, one), b: wordOf(field, other) }];
  });
}

function listLines(field: string, a: unknown, b: unknown): readonly FieldLine[] {
  const [had, has] = [namesOf(a), namesOf(b)];
  const names = new Map([...had, ...has]);
  return [...names.keys()]
    .toSorted((x, y) => (names.get(x) ?? '').localeCompare(names.get(y) ?? '', 'en'))
    .map((guid) => ({ field, a: had.get(guid) ?? '', b: has.get(guid) ?? '' }));
}

function isNamedList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isFields(each) && 'guid' in each);
}

/** Names by GUID, with their kind where they have one. */
function namesOf(value: unknown): ReadonlyMap<string, string> {
  if (!isNamedList(value)) return new Map();
  return new Map(
    value.map((each) => {
      const type = typeof each['type'] === 'string' ? ` (${listTypeTitle(each['type'])})` : '';
      return [String(each['guid']), `${String(each['name'] ?? each['guid'])}${type}`];
    }),
  );
}

/** As a person reads it: what the service spells for machines becomes words. */
function wordOf(field: string, value: unknown): string {
  if (field === 'product' && typeof value === 'string') return productTitle(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.length === 0) return '';
  return typeof value === 'object' ? (stringifyExact(value) ?? '') : String(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const titles: Readonly<Record<string, string>> = {
  file_lists: 'File list',
  ip_lists: 'IP list',
  isolation_ip_lists: 'Isolation IP list',
  exclusion_sets: 'Exclusion set',
  used_in_groups: 'Used in group',
  serial_number: 'Serial number',
};

/** A field as a person reads it; what is not known stays as the service spells it. */
function fieldTitle(field: string): string {
  const known = titles[field];
  if (known !== undefined) return known;
  const words = field.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
