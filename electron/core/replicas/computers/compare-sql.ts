import type { FilterOperator } from '#shared/model/filter-term.ts';

import { naturalKey } from './columns.ts';
import type { Condition } from './condition.ts';

/** `>7d` is longer ago than seven days, so it looks for smaller times. */
export function ageCondition(column: string, operator: FilterOperator, then: number): Condition {
  const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', ':': '=', '=': '=' }[operator];
  return { sql: `${column} ${turned} ?`, params: [then] };
}

/** A date is a span: after it begins where it ends. */
export function momentCondition(column: string, operator: FilterOperator, from: number, to: number): Condition {
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

/** A version stands for everything that begins with it: `<=8.4` includes 8.4.0.30201, `>8.4` does not. */
export function versionCondition(operator: FilterOperator, text: string): Condition {
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
