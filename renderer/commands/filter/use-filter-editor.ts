import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { unfinishedWord, type FilterLanguage, type LanguageTerm } from '#shared/model/filter-language.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { usePicked } from '../use-picked.ts';
import type { TypedFilter } from './use-typed-filter.ts';

export interface Choice {
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

export interface FilterEditor {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly choices: readonly Choice[];
  /** -1 while none is chosen. */
  readonly chosen: number;
  insert(choice: Choice): void;
  typed(text: string, caret: number | null): void;
  shut(): void;
  press(event: KeyboardEvent<HTMLInputElement>): void;
}

const longestList = 10;

/** Caret, completions and keys of the filter box. */
export function useFilterEditor<T extends LanguageTerm>(filter: TypedFilter<T>, onLeave: () => void): FilterEditor {
  const [caret, setCaret] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { from, to, choices, isAsking } = useChoices(filter.language, filter.text, caret);
  const { picked: chosen, pick: choose } = usePicked(choices.map((choice) => choice.insert));
  const shut = () => {
    setCaret(null);
    filter.finish();
  };
  const insert = (choice: Choice) => {
    const at = from + choice.insert.length;
    filter.set(`${filter.text.slice(0, from)}${choice.insert}${filter.text.slice(to)}`, at);
    choose(-1);
    setCaret(at);
    // React sets the value first; the caret belongs behind what was put in.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const leave = () => {
    shut();
    onLeave();
  };
  const escape = () => {
    // Whoever closes the list that is about to open does not mean the filter.
    if (choices.length > 0 || isAsking) setCaret(null);
    else if (filter.text === '') leave();
    else filter.set('');
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const choice = choices[chosen];
    if (choices.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp'))
      choose(step(chosen, key === 'ArrowDown' ? 1 : -1, choices.length));
    else if (choice !== undefined && (key === 'Enter' || key === 'Tab')) insert(choice);
    else if (key === 'Enter') leave();
    else if (key === 'Escape') escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const typed = (text: string, at: number | null) => {
    filter.set(text, at ?? text.length);
    choose(-1);
    setCaret(at);
  };
  return { input, choices, chosen, insert, typed, shut, press };
}

/** Completions at the caret: fields and fixed values, and values that the local copy knows. */
function useChoices<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, caret: number | null) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const at = language.suggest(text, caret ?? text.length);
  const wanted = caret === null || text === '' ? null : at.ask;
  const { data, isFetching } = useQuery({
    ...queries.commands.suggest.queryOptions({
      input: { connection, source: wanted?.source ?? 'hostname', prefix: wanted?.prefix ?? '', limit: longestList },
    }),
    enabled: wanted !== null,
  });
  const known =
    wanted === null ? [] : (data ?? []).map(({ value, label }) => (wanted.take === 'label' ? label : value));
  const choices: readonly Choice[] =
    caret === null || text === ''
      ? []
      : [
          ...[...at.items, ...known.map((value) => ({ insert: at.insertOf(value), label: value, detail: '' }))].slice(
            0,
            longestList,
          ),
          ...itself(language, text, caret),
        ];
  return { from: at.from, to: at.to, choices, isAsking: wanted !== null && isFetching };
}

/** What is typed may also be meant as it stands; Enter says the same. */
function itself<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, caret: number): readonly Choice[] {
  const word = unfinishedWord(language, text, caret);
  if (word === null) return [];
  const typed = text.slice(word.start, word.end).replace(/^-/, '');
  return [{ insert: `"${typed}"`, label: `“${typed}”`, detail: 'the word itself' }];
}

/** From nothing, up leads to the last. */
function step(index: number, by: number, count: number): number {
  return index < 0 && by < 0 ? count - 1 : (index + by + count) % count;
}
