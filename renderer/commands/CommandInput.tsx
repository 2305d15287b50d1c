import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';

import type { CompletionItem } from '#shared/commands/complete.ts';
import { parseLine, type LineProblem } from '#shared/commands/parse.ts';

import { cx } from '../ui/cx.ts';
import styles from './CommandInput.module.css';
import { Suggestions, type Suggested } from './Suggestions.tsx';
import { accept, useCompletion } from './use-completion.ts';
import type { LineHistory } from './use-history.ts';

export interface CommandInputProps {
  readonly value: string;
  readonly onChange: (line: string) => void;
  readonly onRun: (line: string) => void;
  readonly onClose: () => void;
  readonly history: LineHistory;
  /** Shows also what is still missing: the line was tried. */
  readonly isTried: boolean;
  /** It takes the focus when it is shown. */
  readonly isShown: boolean;
}

/** The typed line with its completion, its lint and its history. */
export function CommandInput({ value, onChange, onRun, onClose, history, isTried, isShown }: CommandInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const id = useId();
  const [caret, setCaret] = useState(value.length);
  const [popup, setPopup] = useState<'none' | 'completion' | 'history'>('none');
  const [picked, setPicked] = useState(-1);
  const completion = useCompletion(value, caret, popup === 'completion');
  const found = popup === 'history' ? history.lines.filter((line) => line.includes(value)).slice(0, 40) : [];
  const items: readonly Suggested[] =
    popup === 'history'
      ? found.map((line) => ({ id: line, label: line, detail: '' }))
      : completion.items.map((item) => ({ id: `${item.kind} ${item.text}`, label: item.label, detail: item.detail }));
  const isOpen = popup !== 'none' && items.length > 0;
  const problems = problemsOf(value, isTried);

  useEffect(() => {
    if (isShown) input.current?.focus();
  }, [isShown]);
  const put = (line: string, at: number) => {
    onChange(line);
    setCaret(at);
    setPicked(-1);
    // React sets the value first; the caret belongs behind what was put in.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const take = (index: number) => {
    if (popup === 'history') {
      const line = found[index] ?? value;
      setPopup('none');
      return put(line, line.length);
    }
    const item: CompletionItem | undefined = completion.items[index];
    if (item === undefined) return;
    const next = accept(value, completion, item);
    put(next.line, next.caret);
    setPopup(item.kind === 'value' ? 'none' : 'completion');
  };
  const walk = (by: 1 | -1) => {
    const line = history.step(by, value);
    if (line !== null) put(line, line.length);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const handled = pressed(event, { isOpen, picked, count: items.length, hasText: value !== '' });
    if (handled === null) return;
    event.preventDefault();
    event.stopPropagation();
    switch (handled.kind) {
      case 'run':
        setPopup('none');
        return onRun(value);
      case 'take':
        return take(handled.index);
      case 'pick':
        return setPicked(handled.index);
      case 'walk':
        return walk(handled.by);
      case 'search':
        setPicked(-1);
        return setPopup('history');
      case 'complete':
        setPicked(-1);
        return setPopup('completion');
      case 'shut':
        return setPopup('none');
      case 'close':
        return onClose();
    }
  };

  return (
    <div className={styles['wrap']}>
      {isOpen ? (
        <Suggestions
          id={`${id}-list`}
          label={popup === 'history' ? 'Earlier lines' : 'Completions'}
          items={items}
          picked={picked}
          onTake={take}
        />
      ) : null}
      <div className={styles['box']}>
        <span className={styles['mark']} aria-hidden="true">
          !
        </span>
        <div className={styles['field']}>
          <div ref={mirror} className={styles['mirror']} aria-hidden="true">
            <Marked line={value} problems={problems} />
          </div>
          <input
            ref={input}
            className={styles['input']}
            role="combobox"
            aria-label="Command line"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            aria-describedby={`${id}-lint`}
            aria-invalid={problems.length > 0}
            {...(isOpen && picked >= 0 ? { 'aria-activedescendant': `${id}-list-${picked}` } : {})}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="svc_get_computers limit=10 hostname=FIN-"
            value={value}
            onChange={(event) => {
              onChange(event.target.value);
              setCaret(event.target.selectionStart ?? event.target.value.length);
              setPicked(-1);
              history.leave();
              setPopup(event.target.value === '' ? 'none' : popup === 'history' ? 'history' : 'completion');
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
            onScroll={(event) => mirror.current?.scrollTo({ left: event.currentTarget.scrollLeft })}
            onBlur={() => setPopup('none')}
            onKeyDown={press}
          />
        </div>
      </div>
      <p id={`${id}-lint`} className={cx(styles['lint'], problems.length > 0 && styles['bad'])} aria-live="polite">
        {problems[0] === undefined
          ? isOpen
            ? 'Tab takes a completion · ↑ ↓ choose · Enter runs'
            : '↑ ↓ earlier lines · Ctrl R searches them · Enter runs'
          : `${problems[0].message}: ${problems[0].fix}.`}
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

/** While a line is typed, only what is wrong counts; what is missing may still come. */
function problemsOf(line: string, isTried: boolean): readonly LineProblem[] {
  if (line.trim() === '' || /^!?\s*help\b/.test(line)) return [];
  const { problems, spec } = parseLine(line);
  if (isTried) return problems;
  const isTypingName = spec === undefined && !line.trimStart().includes(' ');
  return isTypingName ? [] : problems.filter((problem) => !problem.missing && problem.to < line.length);
}

type Handled =
  | { readonly kind: 'run' | 'search' | 'complete' | 'shut' | 'close' }
  | { readonly kind: 'take' | 'pick'; readonly index: number }
  | { readonly kind: 'walk'; readonly by: 1 | -1 };

interface PopupFacts {
  readonly isOpen: boolean;
  readonly picked: number;
  readonly count: number;
  readonly hasText: boolean;
}

function pressed(event: KeyboardEvent, { isOpen, picked, count, hasText }: PopupFacts): Handled | null {
  const { key, ctrlKey } = event;
  if (ctrlKey && key === 'r') return { kind: 'search' };
  if (ctrlKey && key === ' ') return { kind: 'complete' };
  if (ctrlKey || event.metaKey || event.altKey) return null;
  if (key === 'Enter') return isOpen && picked >= 0 ? { kind: 'take', index: picked } : { kind: 'run' };
  if (key === 'Escape') return isOpen ? { kind: 'shut' } : { kind: 'close' };
  // Without an open list, Tab leaves the line as everywhere.
  if (key === 'Tab' && !event.shiftKey) return isOpen && hasText ? { kind: 'take', index: Math.max(0, picked) } : null;
  if (key === 'ArrowDown') return isOpen ? { kind: 'pick', index: (picked + 1) % count } : { kind: 'walk', by: -1 };
  if (key === 'ArrowUp') return isOpen && picked >= 0 ? { kind: 'pick', index: picked - 1 } : { kind: 'walk', by: 1 };
  return null;
}
