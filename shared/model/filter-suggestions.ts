import type { CompletionSource } from '../commands/define.ts';
import { fieldNamed, filterFieldSpecs } from './filter-fields.ts';
import { quoteText } from './filter-format.ts';
import { filterFields, type FilterField, type FilterOperator } from './filter-term.ts';
import { isolationGlances } from './glance.ts';

export interface FilterSuggestion {
  /** Replaces the text between `from` and `to`. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

export interface FilterSuggestions {
  readonly from: number;
  readonly to: number;
  /** Fields and fixed values that may stand here. */
  readonly items: readonly FilterSuggestion[];
  /** Ask the local copy for values with this prefix and take that half of each; `insertOf` makes it typed text. */
  readonly ask: { readonly source: CompletionSource; readonly prefix: string; readonly take: 'value' | 'label' } | null;
  /** The replacement for a value of the local copy, quoted where it must be. */
  readonly insertOf: (value: string) => string;
}

const flags = [
  { insert: 'yes', detail: '' },
  { insert: 'no', detail: '' },
];
const states = [
  ...Object.entries(isolationGlances).map(([insert, { word }]) => ({ insert, detail: word })),
  { insert: 'pending*', detail: 'starting or stopping' },
];
const ages = [
  { insert: '1h', detail: 'an hour' },
  { insert: '24h', detail: 'a day' },
  { insert: '7d', detail: 'a week' },
  { insert: '30d', detail: 'a month' },
  { insert: '90d', detail: 'three months' },
];
const empty = { insert: 'empty', detail: 'has none' };

/** What may come at the caret: field names at the start of a term, values behind its operator. */
export function filterSuggestions(text: string, caret: number): FilterSuggestions {
  const before = text.slice(0, caret);
  const word = lastWord(before);
  const to = caret + (/^[^\s,]*/.exec(text.slice(caret))?.[0].length ?? 0);
  const head = /^-?([a-z][a-z_-]*)(<=|>=|[:=<>])/i.exec(word);
  const field = head === null ? undefined : fieldNamed(head[1] ?? '');
  if (head === null || field === undefined) return fieldsFor(word, caret, to);
  // The expression matches nothing but operators in its second group.
  return valuesFor(field, head[2] as FilterOperator, word.slice(head[0].length), caret, to);
}

/** The text behind the last white space that is not between quotation marks. */
export function lastWord(before: string): string {
  let start = 0;
  let quoted = false;
  for (const [at, char] of Array.from(before, (char, at) => [at, char] as const)) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(char)) start = at + 1;
  }
  return Array.from(before).slice(start).join('');
}

function fieldsFor(word: string, caret: number, to: number): FilterSuggestions {
  const typed = word.replace(/^-/, '').toLowerCase();
  const items = filterFields
    .filter((field) => field !== 'any' && spellings(field).some((spelling) => spelling.startsWith(typed)))
    .map((field) => ({
      insert: `${field}${filterFieldSpecs[field].kind === 'time' ? '<' : ':'}`,
      label: field,
      detail: filterFieldSpecs[field].summary,
    }));
  return { from: caret - typed.length, to, items, ask: null, insertOf: quoteText };
}

function spellings(field: FilterField): readonly string[] {
  return [field, ...filterFieldSpecs[field].aliases];
}

function valuesFor(
  field: FilterField,
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
  const { ask } = filterFieldSpecs[field];
  return {
    from: caret - current.length,
    to,
    items,
    ask: ask === null ? null : { ...ask, prefix },
    insertOf: quoteText,
  };
}

export function lastComma(typed: string): number {
  const open = (typed.match(/"/g)?.length ?? 0) % 2 === 1;
  return open ? typed.lastIndexOf(',', typed.lastIndexOf('"')) : typed.lastIndexOf(',');
}

function fixedValues(
  field: FilterField,
  operator: FilterOperator,
): readonly { readonly insert: string; readonly detail: string }[] {
  const { kind } = filterFieldSpecs[field];
  if (kind === 'flag') return flags;
  if (kind === 'state') return states;
  if (kind === 'time') return operator === ':' || operator === '=' ? [empty] : ages;
  return [empty];
}
