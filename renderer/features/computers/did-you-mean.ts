/** What a filter that nothing answers to was probably meant to say. */
import { nearest } from '#shared/commands/nearest.ts';
import type { ComputerFacet, ComputerFacets } from '#shared/contract/computer-list.ts';
import { computerFilter } from '#shared/model/computer-filter.ts';
import { quoteText } from '#shared/model/filter-format.ts';
import type { FilterTerm } from '#shared/model/filter-term.ts';

export interface Meant {
  /** The condition in its place. */
  readonly term: string;
  /** The whole filter with it. */
  readonly filter: string;
}

/** Facets whose values are words that somebody types. */
const worded = ['group', 'policy', 'os', 'connector', 'tag'] as const satisfies readonly ComputerFacet[];

/** Shorter texts are as near to anything. */
const shortest = 4;

/** For each condition whose value no computer carries: the filter with the value, or word of one, that looks most alike. */
export function meantInstead(filter: string, facets: ComputerFacets['facets']): readonly Meant[] {
  return computerFilter.parse(filter).terms.flatMap((term) => {
    const found = insteadOf(term, facets);
    if (found === null) return [];
    const instead = term.field === 'any' ? quoteText(found) : `${term.field}:${quoteText(found)}`;
    return [{ term: instead, filter: `${filter.slice(0, term.start)}${instead}${filter.slice(term.end)}` }];
  });
}

function insteadOf(term: FilterTerm, facets: ComputerFacets['facets']): string | null {
  const typed = typedIn(term);
  // A bare word with a digit is the name or address of a computer.
  if (typed === null || typed.length < shortest || (term.field === 'any' && /\d/.test(typed))) return null;
  const values = valuesFor(term, facets);
  return values.some((value) => isCarried(typed, value, term.operator)) ? null : closest(typed, values);
}

function isCarried(typed: string, value: string, operator: FilterTerm['operator']): boolean {
  const [wanted, there] = [typed.toLowerCase(), value.toLowerCase()];
  return operator === '=' ? there === wanted : there.includes(wanted);
}

/** One plain text that has to be there; `null` for anything else. */
function typedIn({ negated, operator, values }: FilterTerm): string | null {
  const [value] = values;
  if (negated || values.length !== 1 || (operator !== ':' && operator !== '=') || value?.kind !== 'text') return null;
  const [text] = value.parts;
  return value.parts.length === 1 && text !== undefined ? text : null;
}

function valuesFor({ field }: FilterTerm, facets: ComputerFacets['facets']): readonly string[] {
  const about = worded.filter((facet) => field === 'any' || facet === field);
  return about.flatMap((facet) => facets[facet].map(({ value }) => value)).filter((value) => value !== '');
}

function closest(typed: string, values: readonly string[]): string | null {
  const words = values.flatMap((value) => value.split(/\s+/));
  return nearest(typed, [...new Set(values)]) ?? nearest(typed, [...new Set(words)]) ?? null;
}
