import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import type { CommandInputProps } from './CommandInput.tsx';
import { actOfKey, type LineAct } from './line-keys.ts';
import type { Suggested } from './Suggestions.tsx';
import { accept, useCompletion } from './use-completion.ts';

export interface LineEditor {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly popup: 'none' | 'completion' | 'history';
  readonly items: readonly Suggested[];
  readonly isOpen: boolean;
  /** -1 while none is picked. */
  readonly picked: number;
  take(index: number): void;
  typed(line: string, caret: number): void;
  setCaret(caret: number): void;
  shut(): void;
  press(event: KeyboardEvent<HTMLInputElement>): void;
}

/** More would not fit and nobody reads them. */
const mostFound = 40;

/** Caret, list and keys of the command line. */
export function useLineEditor({ value, onChange, onRun, onClose, history, isShown }: CommandInputProps): LineEditor {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(value.length);
  const [popup, setPopup] = useState<LineEditor['popup']>('none');
  const [picked, setPicked] = useState(-1);
  const completion = useCompletion(value, caret, popup === 'completion');
  const found = popup === 'history' ? history.lines.filter((line) => line.includes(value)).slice(0, mostFound) : [];
  const items: readonly Suggested[] =
    popup === 'history'
      ? found.map((line) => ({ id: line, label: line, detail: '' }))
      : completion.items.map((item) => ({ id: `${item.kind} ${item.text}`, label: item.label, detail: item.detail }));
  const isOpen = popup !== 'none' && items.length > 0;
  useEffect(() => {
    if (isShown) input.current?.focus();
  }, [isShown]);

  const show = (next: LineEditor['popup']) => {
    setPicked(-1);
    setPopup(next);
  };
  const put = (line: string, at: number) => {
    onChange(line);
    setCaret(at);
    setPicked(-1);
    // React sets the value first; the caret belongs behind what was put in.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const take = (index: number) => {
    const line = found[index];
    const item = completion.items[index];
    if (popup === 'history') {
      if (line !== undefined) put(line, line.length);
      return show('none');
    }
    if (item === undefined) return;
    const next = accept(value, completion, item);
    put(next.line, next.caret);
    show(item.kind === 'value' ? 'none' : 'completion');
  };
  const walk = (by: 1 | -1) => {
    const line = history.step(by, value);
    if (line !== null) put(line, line.length);
  };
  const obey = (act: LineAct) => {
    if (act.kind === 'take') take(act.index);
    else if (act.kind === 'pick') setPicked(act.index);
    else if (act.kind === 'walk') walk(act.by);
    else if (act.kind === 'search') show('history');
    else if (act.kind === 'complete') show('completion');
    else if (act.kind === 'close') onClose();
    else show('none');
    if (act.kind === 'run') onRun(value);
  };
  return {
    input,
    popup,
    items,
    isOpen,
    picked,
    take,
    typed(line, at) {
      onChange(line);
      setCaret(at);
      history.leave();
      show(line === '' ? 'none' : popup === 'history' ? 'history' : 'completion');
    },
    setCaret,
    shut: () => setPopup('none'),
    press(event) {
      if (event.nativeEvent.isComposing) return;
      const key = { key: event.key, ctrl: event.ctrlKey, shift: event.shiftKey, other: event.metaKey || event.altKey };
      const act = actOfKey(key, { isOpen, picked, count: items.length, hasText: value !== '' });
      if (act === null) return;
      event.preventDefault();
      event.stopPropagation();
      obey(act);
    },
  };
}
