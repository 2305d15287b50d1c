import { addEventTerm, formatEventTerm, parseEventFilter, removeEventTerm } from '#shared/model/event-filter.ts';
import type { EventFilterTerm } from '#shared/model/event-filter-values.ts';
import { quoteText } from '#shared/model/filter-format.ts';

import type { EventFacets, Facet } from '#shared/contract/events.ts';

export type FacetName = Exclude<keyof EventFacets, 'counted'>;

/** The typed term that a value of a facet stands for. Groups are known by name, in the filter too. */
export function facetTerm(name: FacetName, { value, label }: Pick<Facet, 'value' | 'label'>): string {
  switch (name) {
    case 'type':
      return `type${/^\d+$/.test(value) ? ':' : '='}${quoteText(value)}`;
    case 'severity':
    case 'outcome':
      return `${name}:${value}`;
    case 'group':
      return `group=${quoteText(label)}`;
    case 'detection':
      return `detection=${quoteText(value)}`;
  }
}

/** Whether the filter asks for this term, alone or as one of several alternatives. */
export function holdsTerm(text: string, term: string): boolean {
  return placeOf(text, term) !== null;
}

/** Takes the term out, or puts it in: beside others about the same thing as an alternative. */
export function toggleTerm(text: string, term: string): string {
  const place = placeOf(text, term);
  if (place !== null) return withoutValue(text, place.index, place.valueIndex);
  const [wanted] = parseEventFilter(term).terms;
  const sibling = parseEventFilter(text).terms.find((each) => wanted !== undefined && isSibling(each, wanted));
  if (wanted === undefined || sibling === undefined) return addEventTerm(text, term);
  const merged = formatEventTerm({ ...sibling, values: [...sibling.values, ...wanted.values] });
  return `${text.slice(0, sibling.start)}${merged}${text.slice(sibling.end)}`;
}

interface Place {
  readonly index: number;
  readonly valueIndex: number;
}

function placeOf(text: string, term: string): Place | null {
  const [wanted] = parseEventFilter(term).terms;
  if (wanted === undefined) return null;
  const asked = formatEventTerm(wanted);
  for (const [index, each] of parseEventFilter(text).terms.entries()) {
    if (!isSibling(each, wanted)) continue;
    const valueIndex = each.values.findIndex((value) => formatEventTerm({ ...each, values: [value] }) === asked);
    if (valueIndex >= 0) return { index, valueIndex };
  }
  return null;
}

function isSibling(a: EventFilterTerm, b: EventFilterTerm): boolean {
  return a.field === b.field && a.operator === b.operator && !a.negated && !b.negated;
}

function withoutValue(text: string, index: number, valueIndex: number): string {
  const term = parseEventFilter(text).terms[index];
  if (term === undefined || term.values.length < 2) return removeEventTerm(text, index);
  const rest = formatEventTerm({ ...term, values: term.values.filter((_, at) => at !== valueIndex) });
  return `${text.slice(0, term.start)}${rest}${text.slice(term.end)}`;
}
