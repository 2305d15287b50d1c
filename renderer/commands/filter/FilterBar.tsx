import { Search } from 'lucide-react';
import { useId, type ReactNode, type Ref } from 'react';

import { cutOut, type LanguageTerm } from '#shared/model/filter-language.ts';

import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Chip } from '../../ui/Tag.tsx';
import { t } from '../text.ts';
import styles from './FilterBar.module.css';
import type { TypedFilter } from './use-typed-filter.ts';
import { useFilterEditor, type Choice } from './use-filter-editor.ts';

interface FilterBarProps<T extends LanguageTerm> {
  readonly filter: TypedFilter<T>;
  /** What the box filters, such as `the computers`. */
  readonly what: string;
  /** Shown in the empty box behind *Filter:*. */
  readonly example: string;
  readonly inputRef: Ref<HTMLInputElement>;
  /** Enter, or Escape in an empty box: back to the rows. */
  readonly onLeave: () => void;
  /** A chip's labels, where the words of the language are not what people know. */
  readonly describe?: (term: T) => { readonly field: string; readonly value: string };
}

interface FacetsSwitch {
  /** Of the panel that it shows. */
  readonly id: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** The typed filter, before it the button of the facets, behind it what else makes the rows. */
export function FilterBar<T extends LanguageTerm>({
  facets: { id, isOpen, toggle },
  children,
  ...props
}: FilterBarProps<T> & { readonly facets: FacetsSwitch; readonly children?: ReactNode }) {
  return (
    <div className={styles['line']}>
      <Button aria-expanded={isOpen} aria-controls={id} onPress={toggle}>
        {t.facets}
      </Button>
      <FilterBox {...props} />
      {children}
    </div>
  );
}

/** The typed filter with completion, and a chip for each of its terms. */
function FilterBox<T extends LanguageTerm>(props: FilterBarProps<T>) {
  const { filter, what, example, inputRef, onLeave } = props;
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
          aria-label={t.filterOf(what)}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-invalid={problem !== undefined}
          {...(problem === undefined ? {} : { 'aria-describedby': `${id}-problem` })}
          {...(choices[chosen] === undefined ? {} : { 'aria-activedescendant': `${id}-${chosen}` })}
          className={styles['input']}
          placeholder={t.filter(example)}
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
          {problem.message} {t.rowsStillMatch(filter.applied === '' ? t.noFilter : `“${filter.applied}”`)}
        </p>
      )}
      {filter.parsed.terms.length === 0 ? null : (
        <Terms filter={filter} describe={props.describe ?? filter.language.describe} />
      )}
    </div>
  );
}

function Terms<T extends LanguageTerm>({
  filter,
  describe,
}: Pick<FilterBarProps<T>, 'filter'> & Required<Pick<FilterBarProps<T>, 'describe'>>) {
  return (
    <ul className={styles['chips']} aria-label={t.conditions}>
      {filter.parsed.terms.map((term) => {
        const { field, value } = describe(term);
        return (
          <li key={`${term.start}-${term.field}`}>
            <Chip
              name={field}
              removeLabel={t.removeTheCondition(field, value)}
              onRemove={() => filter.set(cutOut(filter.text, term))}
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
      aria-label={t.completions}
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
