/**
 * The typed filter of the computers list, such as
 * `group:"Finance Servers" last_seen>7d ip:10.3.0.0/16 isolation:pending* -os:windows mac:empty FIN-`.
 */
import { describeValues, formatValue } from './filter-format.ts';
import { filterFieldSpecs } from './filter-fields.ts';
import { lexFilter } from './filter-lex.ts';
import type { FilterProblem, FilterTerm, ParsedFilter } from './filter-term.ts';
import { readTerm } from './filter-values.ts';

/** A term without its place, as it is when it was not typed. */
export type UnplacedTerm = Omit<FilterTerm, 'start' | 'end'>;

/** Terms that were understood, and problems for the rest; nothing is ignored silently. Terms keep their order. */
export function parseFilter(text: string): ParsedFilter {
  const lexed = lexFilter(text);
  const terms: FilterTerm[] = [];
  const problems: FilterProblem[] = [...lexed.problems];
  for (const raw of lexed.terms) {
    const read = readTerm(raw);
    if ('message' in read) problems.push(read);
    else terms.push(read);
  }
  return { terms, problems: problems.toSorted((a, b) => a.start - b.start) };
}

/** A term in typed form; parsing it again gives the same term (its place apart). */
export function formatTerm(term: UnplacedTerm): string {
  const bare = term.field === 'any';
  const values = term.values.map((value) => formatValue(value, bare)).join(',');
  return `${term.negated ? '-' : ''}${bare ? '' : `${term.field}${term.operator}`}${values}`;
}

export function formatFilter(terms: readonly UnplacedTerm[]): string {
  return terms.map(formatTerm).join(' ');
}

/** The text without its term of that index (as `parseFilter(text).terms` counts); problems stay in place. */
export function removeTerm(text: string, index: number): string {
  const term = parseFilter(text).terms[index];
  if (term === undefined) return text;
  return [text.slice(0, term.start).trimEnd(), text.slice(term.end).trimStart()]
    .filter((part) => part !== '')
    .join(' ');
}

/** The text with one more term in typed form; unchanged when the same term is there already. */
export function addTerm(text: string, term: string): string {
  const wanted = formatFilter(parseFilter(term).terms);
  const present = parseFilter(text).terms.map(formatTerm);
  if (wanted !== '' && present.includes(wanted)) return text;
  const before = text.trimEnd();
  return before === '' ? term : `${before} ${term}`;
}

/** A chip's two labels, such as `Last seen` and `more than 7 days ago`; a negated one starts with `not`. */
export function describeTerm(term: UnplacedTerm): { readonly field: string; readonly value: string } {
  const value = describeValues(term);
  return { field: filterFieldSpecs[term.field].title, value: term.negated ? `not ${value}` : value };
}
