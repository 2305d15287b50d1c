import { CordonError } from '#shared/contract/errors.ts';
import { parseFilter } from '#shared/model/computer-filter.ts';
import type { FilterField, FilterOperator, FilterTerm, FilterValue } from '#shared/model/filter-term.ts';
import { fold } from '#shared/model/fold.ts';
import { noLabels } from '#shared/model/label.ts';

import type { LabelKind, LabelReader } from '../labels/labels.ts';
import { macDigits } from './columns.ts';
import { ageCondition, momentCondition, versionCondition } from './compare-sql.ts';
import { joined, matching, type Condition } from './condition.ts';

/** A statement that gives the ids of rows; `negated` takes them away. */
export interface Selection extends Condition {
  readonly negated: boolean;
}

export interface CompiledFilter {
  /** All of them have to hold; none when nothing is asked. */
  readonly selections: readonly Selection[];
  /** Computers that the service no longer lists are hidden unless they are asked for. */
  readonly listedOnly: boolean;
  /** It speaks of times ago, so that its result changes while nothing is written. */
  readonly relative: boolean;
  /** It speaks of labels, which lie elsewhere. */
  readonly labelled: boolean;
}

/** Where nobody keeps labels. */
export const noLabelsAtAll: LabelReader = {
  revision: () => 0,
  of: () => noLabels,
  having: () => [],
  all: () => [],
};

/** Throws `invalid_argument` for a filter with problems: a selection must never be wider than what was typed. */
export function compileFilter(text: string, now: number, labels: LabelReader = noLabelsAtAll): CompiledFilter {
  const { terms, problems } = parseFilter(text);
  const [problem] = problems;
  if (problem !== undefined) throw new CordonError('invalid_argument', problem.message, { field: 'filter' });
  return {
    selections: selectionsOf(terms, now, labels),
    listedOnly: terms.every((term) => term.field !== 'vanished'),
    relative: terms.some((term) => term.values.some((value) => value.kind === 'age')),
    labelled: terms.some((term) => labelKindOf(term.field) !== null),
  };
}

/** Terms that a narrow table answers stand alone, for that is one short scan each; all others share a scan of `computer`. */
function selectionsOf(terms: readonly FilterTerm[], now: number, labels: LabelReader): readonly Selection[] {
  const selections: Selection[] = [];
  const shared: Condition[] = [];
  for (const term of terms) {
    const kind = labelKindOf(term.field);
    const alone = kind === null ? aloneSelection(term) : labelSelection(term, kind, labels);
    if (alone === null) shared.push(termCondition(term, now));
    else selections.push(alone);
  }
  if (shared.length === 0) return selections;
  const { sql, params } = joined(shared, ' AND ');
  return [{ sql: `SELECT id FROM computer WHERE ${sql}`, params, negated: false }, ...selections];
}

function labelKindOf(field: FilterField): LabelKind | null {
  return field === 'tag' || field === 'role' ? field : null;
}

/** Labels lie in the profile: what is asked of them becomes a list of GUIDs. */
function labelSelection({ operator, values, negated }: FilterTerm, kind: LabelKind, labels: LabelReader): Selection {
  const wanted = values.flatMap((value) => (value.kind === 'text' ? [passing(value.parts, operator === '=')] : []));
  const found = wanted.length === 0 ? [] : labels.having(kind, (text) => wanted.some((passes) => passes(text)));
  const sql = 'SELECT id FROM computer WHERE guid IN (SELECT value FROM json_each(?))';
  if (wanted.length === values.length) return { sql, params: [JSON.stringify(found)], negated };
  // Without any, or with one of those: everything but the others.
  const without = new Set(found);
  const others = labels.having(kind, () => true).filter((guid) => !without.has(guid));
  return { sql, params: [JSON.stringify(others)], negated: !negated };
}

function passing(parts: readonly string[], whole: boolean): (text: string) => boolean {
  const folded = parts.map(fold);
  const [first = ''] = folded;
  if (parts.length === 1) return whole ? (text) => text === first : (text) => text.includes(first);
  const escaped = folded.map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const form = new RegExp(`^${escaped.join('.*')}$`, 'u');
  return (text) => form.test(text);
}

function aloneSelection(term: FilterTerm): Selection | null {
  if (term.field !== 'any' && term.field !== 'mac') return null;
  const tests = term.values.map((value) => (value.kind === 'text' ? aloneTest(term, value.parts) : null));
  const known = tests.filter((test) => test !== null);
  if (known.length < tests.length) return null;
  const { sql, params } = joined(known, ' OR ');
  const table = term.field === 'any' ? 'search' : 'mac';
  return { sql: `SELECT id FROM ${table} WHERE ${sql}`, params, negated: term.negated };
}

function aloneTest(term: FilterTerm, parts: readonly string[]): Condition | null {
  if (term.field === 'mac') return matching('digits', parts.map(macDigits), term.operator === '=');
  return parts.length > 1 ? null : searchCondition(parts.join(''));
}

function termCondition(term: FilterTerm, now: number): Condition {
  const any = joined(
    term.values.map((value) => valueCondition(term.field, term.operator, value, now)),
    ' OR ',
  );
  // An unknown time makes a comparison NULL, which neither holds nor fails.
  return term.negated ? { sql: `NOT coalesce(${any.sql}, 0)`, params: any.params } : any;
}

function valueCondition(field: FilterField, operator: FilterOperator, value: FilterValue, now: number): Condition {
  switch (value.kind) {
    case 'text':
      return textCondition(field, operator, value.parts);
    case 'addresses':
      return addressCondition(field, value.from, value.to);
    case 'states':
      return { sql: `glance IN (${value.states.map(() => '?').join(', ')})`, params: value.states };
    case 'flag':
      return flagCondition(field, value.value);
    case 'age':
      return ageCondition(timeColumn(field), operator, now - value.ms);
    case 'moment':
      return momentCondition(timeColumn(field), operator, value.from, value.to);
    case 'empty':
      return { sql: emptyTests[field], params: [] };
  }
}

const emptyTests: Readonly<Record<FilterField, string>> = {
  any: '0',
  name: "hostname = ''",
  group: "group_guid = ''",
  policy: "policy_name = ''",
  os: "os = ''",
  connector: "connector = ''",
  ip: "ips = ''",
  external_ip: "external_ip = ''",
  mac: "macs = ''",
  guid: '0',
  isolation: "glance = 'unknown'",
  compromised: '0',
  last_seen: 'last_seen IS NULL',
  installed: 'installed IS NULL',
  duplicate: '0',
  duplicate_mac: '0',
  active: '0',
  vanished: '0',
  tag: '0',
  role: '0',
  guess: "guess = ','",
};

function flagCondition(field: FilterField, value: boolean): Condition {
  if (field === 'vanished') return { sql: `vanished_at IS ${value ? 'NOT ' : ''}NULL`, params: [] };
  if (field === 'duplicate_mac') return { sql: `id ${value ? '' : 'NOT '}IN (${sharedMacs})`, params: [] };
  return { sql: `${field} = ?`, params: [value ? 1 : 0] };
}

/** Listed computers with an address that another one has too. */
const sharedMacs = `SELECT id FROM mac WHERE digits IN (
  SELECT digits FROM mac WHERE digits <> '' AND id NOT IN (SELECT id FROM computer WHERE vanished_at IS NOT NULL)
  GROUP BY digits HAVING count(*) > 1)`;

function timeColumn(field: FilterField): string {
  return field === 'installed' ? 'installed' : 'last_seen';
}

/** The first address is a column; the few further ones have an index of their own. */
function addressCondition(field: FilterField, from: number, to: number): Condition {
  if (field === 'external_ip') return { sql: 'external_num BETWEEN ? AND ?', params: [from, to] };
  return {
    sql: '(ip_num BETWEEN ? AND ? OR id IN (SELECT id FROM address WHERE place > 0 AND num BETWEEN ? AND ?))',
    params: [from, to, from, to],
  };
}

function textCondition(field: FilterField, operator: FilterOperator, parts: readonly string[]): Condition {
  const whole = operator === '=';
  if (field === 'any') return anyCondition(parts);
  if (field === 'connector' && operator !== ':' && !whole) return versionCondition(operator, parts.join(''));
  if (field === 'guess') return { sql: 'instr(guess, ?) > 0', params: [`,${parts.join('')},`] };
  if (field === 'mac') return inList('mac', 'digits', parts.map(macDigits), whole);
  if (field === 'ip') return inList('address', 'text', parts, whole);
  const columns = textColumns[field] ?? [];
  const named = columns.map((column) => matching(column, parts, whole));
  const guid = guidColumns[field];
  const byGuid = guid === undefined || parts.length > 1 ? [] : [{ sql: `${guid} = ?`, params: [fold(parts.join(''))] }];
  return joined([...named, ...byGuid], ' OR ');
}

const textColumns: Readonly<Partial<Record<FilterField, readonly string[]>>> = {
  name: ['host_fold'],
  group: ['group_fold'],
  policy: ['policy_fold'],
  os: ['os_fold', 'os_version'],
  connector: ['lower(connector)'],
  external_ip: ['external_ip'],
  guid: ['lower(guid)'],
};
const guidColumns: Readonly<Partial<Record<FilterField, string>>> = {
  group: 'lower(group_guid)',
  policy: 'lower(policy_guid)',
};

function inList(
  table: 'mac' | 'address',
  column: 'digits' | 'text',
  parts: readonly string[],
  whole: boolean,
): Condition {
  const { sql, params } = matching(column, parts, whole);
  return { sql: `id IN (SELECT id FROM ${table} WHERE ${sql})`, params };
}

/** A bare word: part of a name, address, MAC, GUID or group; with a wildcard it has to be the whole of one of them. */
function anyCondition(parts: readonly string[]): Condition {
  if (parts.length > 1) return anyGlob(parts);
  const { sql, params } = searchCondition(parts.join(''));
  return { sql: `id IN (SELECT id FROM search WHERE ${sql})`, params };
}

/** MAC addresses are found with any separators: `1e-c0-c8` and `1ec0.c87e` as well as `1e:c0:c8`. */
function searchCondition(typed: string): Condition {
  const text = fold(typed);
  const dashed = /^[0-9a-f]{2}(-[0-9a-f]{0,2})+$/.test(text) ? text.replaceAll('-', ':') : text;
  const dotted = /^[0-9a-f]{4}(\.[0-9a-f]{0,4})+$/.test(text) && /[a-f]/.test(text) ? macDigits(text) : text;
  return joined(
    [...new Set([text, dashed, dotted])].map((word) => matching('text', [word], false)),
    ' OR ',
  );
}

function anyGlob(parts: readonly string[]): Condition {
  const columns = ['host_fold', 'lower(guid)', 'group_fold', 'external_ip'].map((column) =>
    matching(column, parts, false),
  );
  const digits = parts.map((part) => fold(part).replaceAll(/[:.-]/g, ''));
  return joined([...columns, inList('address', 'text', parts, false), inList('mac', 'digits', digits, false)], ' OR ');
}
