import { Search } from 'lucide-react';
import { useId, type Ref } from 'react';

import { describeTerm, removeTerm } from '#shared/model/computer-filter.ts';

import { cx } from '../../ui/cx.ts';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Chip } from '../../ui/Tag.tsx';
import styles from './FilterBar.module.css';
import type { TypedFilter } from './use-filter.ts';
import { useFilterEditor, type Choice } from './use-filter-editor.ts';

interface FilterBarProps {
  readonly filter: TypedFilter;
  readonly inputRef: Ref<HTMLInputElement>;
  /** Enter, or Escape in an empty box: back to the rows. */
  readonly onLeave: () => void;
}

/** The typed filter with completion, and a chip for each of its terms. */
export function FilterBar({ filter, inputRef, onLeave }: FilterBarProps) {
  const id = useId();
  const editor = useFilterEditor(filter, onLeave);
  const { choices, chosen } = editor;
  const problem = filter.parsed.problems[0];
  return (
    <div className={styles['bar']}>
      <div className={styles['box']}>
        <Search size={14} aria-hidden="true" className={styles['icon']} />
        <input
          ref={(element) => {
            editor.input.current = element;
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
          onChange={({ currentTarget }) => editor.typed(currentTarget.value, currentTarget.selectionStart)}
          onBlur={editor.shut}
          onKeyDown={editor.press}
        />
        {filter.text === '' ? <KeyCap keys="/" /> : null}
        <Choices id={id} choices={choices} chosen={chosen} onChoose={editor.insert} />
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
