/** Two policies, field by field: pure, so that it can be tested without a page. */
import { stringifyExact } from '#shared/model/exact-json.ts';

export interface DiffLine {
  /** Path of a field such as `description`, or the kind of a list. */
  readonly field: string;
  /** What the first has; empty when it lacks it. */
  readonly a: string;
  readonly b: string;
  readonly isSame: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** What says nothing about what a policy does: it is another for each. */
const ownNames: ReadonlySet<string> = new Set(['guid', 'links']);

/**
 * Fields of two records side by side. Lists of named things are compared by GUID, one line each, so that a list that is
 * only in one of them stands alone.
 */
export function diffOf(a: Fields, b: Fields): readonly DiffLine[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => !ownNames.has(field));
  return fields.flatMap((field) => {
    const [one, other] = [a[field], b[field]];
    return isNamedList(one) || isNamedList(other)
      ? listLines(field, one, other)
      : [line(field, textOf(one), textOf(other))];
  });
}

function listLines(field: string, a: unknown, b: unknown): readonly DiffLine[] {
  const [had, has] = [namesOf(a), namesOf(b)];
  const names = new Map([...had, ...has]);
  return [...names.keys()]
    .toSorted((x, y) => (names.get(x) ?? '').localeCompare(names.get(y) ?? '', 'en'))
    .map((guid) => line(field, had.get(guid) ?? '', has.get(guid) ?? ''));
}

function line(field: string, a: string, b: string): DiffLine {
  return { field, a, b, isSame: a === b };
}

function isNamedList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isFields(each) && 'guid' in each);
}

/** Names by GUID, with their kind where they have one. */
function namesOf(value: unknown): ReadonlyMap<string, string> {
  if (!isNamedList(value)) return new Map();
  return new Map(
    value.map((each) => {
      const type = typeof each['type'] === 'string' ? ` (${each['type']})` : '';
      return [String(each['guid']), `${String(each['name'] ?? each['guid'])}${type}`];
    }),
  );
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
export function fieldTitle(field: string): string {
  const known = titles[field];
  if (known !== undefined) return known;
  const words = field.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
