import { useId, useRef } from 'react';

import type { LineProblem } from '#shared/commands/parse.ts';

import { cx } from '../ui/cx.ts';
import styles from './CommandInput.module.css';
import { lintLine, nameToChoose } from './line-lint.ts';
import { Suggestions } from './Suggestions.tsx';
import { t } from './text.ts';
import { useLineFacts } from './use-line-facts.ts';
import { useLineEditor, type CommandInputProps } from './use-line-editor.ts';

/** The typed line with its completion, its lint and its history. */
export function CommandInput(props: CommandInputProps) {
  const { value, isTried, isShown } = props;
  const mirror = useRef<HTMLDivElement>(null);
  const id = useId();
  const editor = useLineEditor(props);
  const { isOpen, picked } = editor;
  const problems = lintLine(value, isTried);
  const facts = useLineFacts(value, isShown);
  const label = editor.popup === 'history' ? 'Earlier lines' : 'Completions';
  return (
    <div className={styles['wrap']}>
      {isOpen ? (
        <Suggestions id={`${id}-list`} label={label} items={editor.items} picked={picked} onTake={editor.take} />
      ) : null}
      <div className={styles['box']}>
        <span className={styles['mark']} aria-hidden="true">
          !
        </span>
        <div className={styles['field']}>
          <div ref={mirror} className={styles['mirror']} aria-hidden="true">
            <Marked line={value} problems={problems} />
            <span className={styles['ghost']}>{editor.ghost}</span>
          </div>
          <input
            ref={editor.input}
            className={styles['input']}
            role="combobox"
            aria-label={t.commandLine}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            aria-describedby={`${id}-lint`}
            aria-invalid={problems.length > 0}
            {...(isOpen && picked >= 0 ? { 'aria-activedescendant': `${id}-list-${picked}` } : {})}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t.svcGetComputers}
            value={value}
            onChange={({ target }) => editor.typed(target.value, target.selectionStart ?? target.value.length)}
            onSelect={(event) => editor.setCaret(event.currentTarget.selectionStart ?? 0)}
            onScroll={(event) => mirror.current?.scrollTo({ left: event.currentTarget.scrollLeft })}
            onBlur={editor.shut}
            onKeyDown={editor.press}
          />
        </div>
      </div>
      <p
        id={`${id}-lint`}
        className={cx(styles['lint'], (problems.length > 0 || facts?.isRefused === true) && styles['bad'])}
        aria-live="polite"
      >
        {problems.length === 0 && facts !== null
          ? facts.words
          : wordsUnder(problems, isTried ? nameToChoose(value) : null, isOpen, editor.ghost !== '')}
      </p>
    </div>
  );
}

/** The line again, with a wave under what is wrong. It lies behind the input and has the same letters. */
function Marked({ line, problems }: { readonly line: string; readonly problems: readonly LineProblem[] }) {
  const problem = problems.find((each) => each.to > each.from);
  if (problem === undefined) return <>{line}</>;
  return (
    <>
      {line.slice(0, problem.from)}
      <span className={styles['wave']}>{line.slice(problem.from, problem.to)}</span>
      {line.slice(problem.to)}
    </>
  );
}

function wordsUnder(
  [problem]: readonly LineProblem[],
  name: string | null,
  isOpen: boolean,
  hasGhost: boolean,
): string {
  if (problem !== undefined && name !== null)
    return isOpen
      ? `"${name}" is a name, and the line needs the object itself: choose what is meant with ↑ ↓ and Enter.`
      : `Local data has nothing called "${name}". ${problem.message}: ${problem.fix}.`;
  if (problem !== undefined) return `${problem.message}: ${problem.fix}.`;
  if (hasGhost) return '→ takes the rest of the earlier line · Tab takes a completion · Enter runs';
  return isOpen
    ? 'Tab takes a completion · ↑ ↓ choose · Enter runs'
    : '↑ ↓ earlier lines · Ctrl R searches them · Enter runs';
}
