/**
 * The typed filter of the computers list, such as
 * `group:"Finance Servers" last_seen>7d ip:10.3.0.0/16 isolation:pending* -os:windows mac:empty FIN-`.
 */
import type { FilterTerm, ParsedFilter } from './filter-term.ts';

/** Terms that were understood, and problems for the rest; nothing is ignored silently. Terms keep their order. */
export function parseFilter(_text: string): ParsedFilter {
  throw new Error('not written yet');
}

/** A term in typed form; parsing it again gives the same term (its place apart). */
export function formatTerm(_term: Omit<FilterTerm, 'start' | 'end'>): string {
  throw new Error('not written yet');
}

export function formatFilter(_terms: readonly Omit<FilterTerm, 'start' | 'end'>[]): string {
  throw new Error('not written yet');
}

/** The text without its term of that index (as `parseFilter(text).terms` counts); problems stay in place. */
export function removeTerm(_text: string, _index: number): string {
  throw new Error('not written yet');
}

/** The text with one more term in typed form; unchanged when the same term is there already. */
export function addTerm(_text: string, _term: string): string {
  throw new Error('not written yet');
}

/** A chip's two labels, such as `Last seen` and `more than 7 days ago`; a negated one starts with `not`. */
export function describeTerm(_term: FilterTerm): { readonly field: string; readonly value: string } {
  throw new Error('not written yet');
}
