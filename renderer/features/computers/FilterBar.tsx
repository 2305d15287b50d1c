import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';

import { describeTerm, removeTerm } from '#shared/model/computer-filter.ts';
import { filterSuggestions } from '#shared/model/filter-suggestions.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { cx } from '../../ui/cx.ts';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Chip } from '../../ui/Tag.tsx';
import styles from './FilterBar.module.css';
import type { TypedFilter } from './use-filter.ts';

interface FilterBarProps {
  readonly filter: TypedFilter;
  readonly inputRef: Ref<HTMLInputElement>;
  /** Enter, or Escape in an empty box: back to the rows. */
  readonly onLeave: () => void;
}

interface Choice {
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

const longestList = 10;

/** The typed filter with completion, and a chip for each of its terms. */
export function FilterBar({ filter, inputRef, onLeave }: FilterBarProps) {
  const id = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(-1);
  const input = useRef<HTMLInputElement | null>(null);
  const { from, to, choices } = useChoices(filter.text, caret);
  const problem = filter.parsed.problems[0];

  const insert = (choice: Choice) => {
    const text = `${filter.text.slice(0, from)}${choice.insert}${filter.text.slice(to)}`;
    const at = from + choice.insert.length;
    filter.set(text);
    setChosen(-1);
    setCaret(at);
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const open = choices.length > 0;
    const choice = choices[chosen];
    if (open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      setChosen((old) => step(old, event.key === 'ArrowDown' ? 1 : -1, choices.length));
    } else if (open && choice !== undefined && (event.key === 'Enter' || event.key === 'Tab')) insert(choice);
    else if (event.key === 'Enter') leave();
    else if (event.key === 'Escape') {
      if (open) setCaret(null);
      else if (filter.text === '') leave();
      else filter.set('');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = () => {
    setCaret(null);
    onLeave();
  };
  return (
    <div className={styles['bar']}>
      <div className={styles['box']}>
        <Search size={14} aria-hidden="true" className={styles['icon']} />
        <input
          ref={(element) => {
            input.current = element;
            if (typeof inputRef === 'function') inputRef(element);
            else if (inputRef !== null && inputRef !== undefined) inputRef.current = element;
          }}
          type="search"
          aria-label="Filter the computers"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-invalid={problem !== undefined}
          {...(problem === undefined ? {} : { 'aria-describedby': `${id}-problem` })}
          {...(choices[chosen] === undefined ? {} : { 'aria-activedescendant': `${id}-${chosen}` })}
          className={styles['input']}
          placeholder="Filter: a name or address, or group:Finance  last_seen<7d  isolation:pending*"
          spellCheck={false}
          autoComplete="off"
          value={filter.text}
          onChange={(event) => {
            filter.set(event.currentTarget.value);
            setChosen(-1);
            setCaret(event.currentTarget.selectionStart);
          }}
          onBlur={() => setCaret(null)}
          onKeyDown={press}
        />
        {filter.text === '' ? <KeyCap keys="/" /> : null}
        <Choices id={id} choices={choices} chosen={chosen} onChoose={insert} />
      </div>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles['problem']} role="status">
          {problem.message} The rows still answer to {filter.applied === '' ? 'no filter' : `“${filter.applied}”`}.
        </p>
      )}
      {filter.parsed.terms.length === 0 ? null : <Terms filter={filter} />}
    </div>
  );
}

function Terms({ filter }: { readonly filter: TypedFilter }) {
  return (
    <ul className={styles['chips']} aria-label="Conditions">
      {filter.parsed.terms.map((term, index) => {
        const { field, value } = describeTerm(term);
        return (
          <li key={`${term.start}-${term.field}`}>
            <Chip
              name={field}
              removeLabel={`Remove the condition ${field} ${value}`}
              onRemove={() => filter.set(removeTerm(filter.text, index))}
            >
              {value}
            </Chip>
          </li>
        );
      })}
    </ul>
  );
}

interface ChoicesProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly chosen: number;
  readonly onChoose: (choice: Choice) => void;
}

function Choices({ id, choices, chosen, onChoose }: ChoicesProps) {
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      className={styles['choices']}
      hidden={choices.length === 0}
    >
      {choices.map((choice, index) => (
        <li
          key={choice.insert}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={cx(styles['choice'], index === chosen && styles['chosen'])}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          <span className={styles['insert']}>{choice.label}</span>
          <span className={styles['detail']}>{choice.detail}</span>
        </li>
      ))}
    </ul>
  );
}

/** Completions at the caret: fields and fixed values, and values that the local copy knows. */
function useChoices(text: string, caret: number | null) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const at = filterSuggestions(text, caret ?? text.length);
  const wanted = caret === null || text === '' ? null : at.ask;
  const { data } = useQuery({
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
      : [...at.items, ...known.map((value) => ({ insert: at.insertOf(value), label: value, detail: '' }))].slice(
          0,
          longestList,
        );
  return { from: at.from, to: at.to, choices };
}

function step(index: number, by: number, count: number): number {
  return (((index + by) % count) + count) % count;
}
