import { CordonError } from '#shared/contract/errors.ts';
import { parseFilter } from '#shared/model/computer-filter.ts';
import type { FilterField, FilterOperator, FilterTerm, FilterValue } from '#shared/model/filter-term.ts';

import { fold, macDigits, naturalKey } from './columns.ts';

/** A condition on `computer`; every value of the operator is a parameter. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

export interface CompiledFilter extends Condition {
  /** Nothing is asked but that the computer is still listed. */
  readonly trivial: boolean;
  /** It speaks of times ago, so that its result changes while nothing is written. */
  readonly relative: boolean;
}

/** Throws `invalid_argument` for a filter with problems: a selection must never be wider than what was typed. */
export function compileFilter(text: string, now: number): CompiledFilter {
  const { terms, problems } = parseFilter(text);
  const [problem] = problems;
  if (problem !== undefined) throw new CordonError('invalid_argument', problem.message, { field: 'filter' });
  // Computers that the service no longer lists are hidden unless they are asked for.
  const listed = terms.some((term) => term.field === 'vanished') ? [] : [{ sql: 'vanished_at IS NULL', params: [] }];
  return {
    ...joined([...listed, ...terms.map((term) => termCondition(term, now))], ' AND '),
    trivial: terms.length === 0,
    relative: terms.some((term) => term.values.some((value) => value.kind === 'age')),
  };
}

function termCondition(term: FilterTerm, now: number): Condition {
  const any = joined(
    term.values.map((value) => valueCondition(term.field, term.operator, value, now)),
    ' OR ',
  );
  // An unknown time makes a comparison NULL, which neither holds nor fails.
  return term.negated ? { sql: `NOT coalesce(${any.sql}, 0)`, params: any.params } : any;
}

function joined(conditions: readonly Condition[], word: ' AND ' | ' OR '): Condition {
  if (conditions.length === 0) return { sql: '1', params: [] };
  return {
    sql: `(${conditions.map((condition) => condition.sql).join(word)})`,
    params: conditions.flatMap((condition) => condition.params),
  };
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
      return { sql: `${flagColumn(field)} = ?`, params: [value.value ? 1 : 0] };
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
  active: '0',
  vanished: '0',
};

function flagColumn(field: FilterField): string {
  return field === 'vanished' ? '(vanished_at IS NOT NULL)' : field;
}

function timeColumn(field: FilterField): string {
  return field === 'installed' ? 'installed' : 'last_seen';
}

/** `>7d` is longer ago than seven days, so it looks for smaller times. */
function ageCondition(column: string, operator: FilterOperator, then: number): Condition {
  const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', ':': '=', '=': '=' }[operator];
  return { sql: `${column} ${turned} ?`, params: [then] };
}

/** A date is a span: after it begins where it ends. */
function momentCondition(column: string, operator: FilterOperator, from: number, to: number): Condition {
  switch (operator) {
    case '<':
      return { sql: `${column} < ?`, params: [from] };
    case '<=':
      return { sql: `${column} < ?`, params: [to] };
    case '>':
      return { sql: `${column} >= ?`, params: [to] };
    case '>=':
      return { sql: `${column} >= ?`, params: [from] };
    case ':':
    case '=':
      return { sql: `(${column} >= ? AND ${column} < ?)`, params: [from, to] };
  }
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

/** Contains, is, or has the form; `column` is one of the names above, never typed text. */
function matching(column: string, parts: readonly string[], whole: boolean): Condition {
  if (parts.length > 1) return { sql: `${column} GLOB ?`, params: [globOf(parts)] };
  const text = fold(parts.join(''));
  return whole ? { sql: `${column} = ?`, params: [text] } : { sql: `instr(${column}, ?) > 0`, params: [text] };
}

function inList(
  table: 'mac' | 'address',
  column: 'digits' | 'text',
  parts: readonly string[],
  whole: boolean,
): Condition {
  const { sql, params } = matching(column, parts, whole);
  return { sql: `id IN (SELECT id FROM ${table} WHERE ${sql})`, params };
}

/** GLOB knows `*`, `?` and `[`; in brackets each stands for itself. */
function globOf(parts: readonly string[]): string {
  return parts.map((part) => fold(part).replaceAll(/[*?[]/g, '[$&]')).join('*');
}

/** A version stands for everything that begins with it: `<=8.4` includes 8.4.0.30201, `>8.4` does not. */
function versionCondition(operator: FilterOperator, text: string): Condition {
  const key = naturalKey(text);
  const end = `${key}\u{10ffff}`;
  const known = "connector <> ''";
  switch (operator) {
    case '<':
      return { sql: `(${known} AND connector_key < ?)`, params: [key] };
    case '<=':
      return { sql: `(${known} AND connector_key < ?)`, params: [end] };
    case '>':
      return { sql: 'connector_key > ?', params: [end] };
    default:
      return { sql: 'connector_key >= ?', params: [key] };
  }
}

/** A bare word: part of a name, address, MAC, GUID or group; with a wildcard it has to be the whole of one of them. */
function anyCondition(parts: readonly string[]): Condition {
  if (parts.length > 1) return anyGlob(parts);
  const text = fold(parts.join(''));
  const mac = /^[0-9a-f]{2,4}([-:.][0-9a-f]{0,4})+$/.test(text) ? macDigits(text) : text;
  const tests = joined(
    [...new Set([text, mac])].map((word) => matching('text', [word], false)),
    ' OR ',
  );
  return { sql: `id IN (SELECT id FROM search WHERE ${tests.sql})`, params: tests.params };
}

function anyGlob(parts: readonly string[]): Condition {
  const columns = ['host_fold', 'lower(guid)', 'group_fold', 'external_ip'].map((column) =>
    matching(column, parts, false),
  );
  const digits = parts.map((part) => fold(part).replaceAll(/[:.-]/g, ''));
  return joined([...columns, inList('address', 'text', parts, false), inList('mac', 'digits', digits, false)], ' OR ');
}
