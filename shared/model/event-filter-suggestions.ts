import { detectionOutcomes, eventSeverities } from './event.ts';
import { eventFieldNamed, eventFilterFields, eventFilterSpecs, type EventFilterField } from './event-filter-fields.ts';
import { quoteText } from './filter-format.ts';
import { lastComma, lastWord, type FilterSuggestions } from './filter-suggestions.ts';
import type { FilterOperator } from './filter-term.ts';

interface Fixed {
  readonly insert: string;
  readonly detail: string;
}

const outcomeDetails: Readonly<Record<(typeof detectionOutcomes)[number], string>> = {
  open: 'may still be on the computer',
  quarantined: 'removed when it was found',
  failed: 'could not be removed',
  recalled: 'removed later, when it was known',
};
const ages: readonly Fixed[] = [
  { insert: '1h', detail: 'an hour' },
  { insert: '24h', detail: 'a day' },
  { insert: '7d', detail: 'a week' },
  { insert: '30d', detail: 'a month' },
];
const empty: Fixed = { insert: 'empty', detail: 'has none' };

/** What may come at the caret: field names at the start of a term, values behind its operator. */
export function eventFilterSuggestions(text: string, caret: number): FilterSuggestions {
  const word = lastWord(text.slice(0, caret));
  const to = caret + (/^[^\s,]*/.exec(text.slice(caret))?.[0].length ?? 0);
  const head = /^-?(sha256|sha1|md5|[a-z][a-z_-]*)(<=|>=|[:=<>])/i.exec(word);
  const field = head === null ? undefined : eventFieldNamed(head[1] ?? '');
  if (head === null || field === undefined) return fieldsFor(word, caret, to);
  // The expression matches nothing but operators in its second group.
  return valuesFor(field, head[2] as FilterOperator, word.slice(head[0].length), caret, to);
}

function fieldsFor(word: string, caret: number, to: number): FilterSuggestions {
  const typed = word.replace(/^-/, '').toLowerCase();
  const spelled = (field: EventFilterField): boolean =>
    [field, ...eventFilterSpecs[field].aliases].some((spelling) => spelling.startsWith(typed));
  const items = eventFilterFields
    .filter((field) => field !== 'any' && spelled(field))
    .map((field) => ({
      insert: `${field}${eventFilterSpecs[field].kind === 'time' ? '<' : ':'}`,
      label: field,
      detail: eventFilterSpecs[field].summary,
    }));
  return { from: caret - typed.length, to, items, ask: null, insertOf: quoteText };
}

function valuesFor(
  field: EventFilterField,
  operator: FilterOperator,
  typed: string,
  caret: number,
  to: number,
): FilterSuggestions {
  const current = typed.slice(lastComma(typed) + 1);
  const prefix = current.replaceAll('"', '');
  const items = fixedValues(field, operator)
    .filter(({ insert, detail }) => [insert, detail].some((text) => text.startsWith(prefix.toLowerCase())))
    .map(({ insert, detail }) => ({ insert, label: insert, detail }));
  const { ask } = eventFilterSpecs[field];
  return {
    from: caret - current.length,
    to,
    items,
    ask: ask === null ? null : { ...ask, prefix },
    insertOf: quoteText,
  };
}

function fixedValues(field: EventFilterField, operator: FilterOperator): readonly Fixed[] {
  const { kind } = eventFilterSpecs[field];
  if (kind === 'severity') return eventSeverities.map((insert) => ({ insert, detail: '' }));
  if (kind === 'outcome')
    return [...detectionOutcomes.map((insert) => ({ insert, detail: outcomeDetails[insert] })), empty];
  if (kind === 'time') return operator === ':' || operator === '=' ? [] : ages;
  return kind === 'type' || field === 'details' ? [] : [empty];
}
