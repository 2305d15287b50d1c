import { useEffect, useRef, useState } from 'react';

import { parseLine, type KnownCommand, type ParsedLine } from '#shared/commands/parse.ts';

import { useUi } from '../state/ui.tsx';
import { helpTopic } from './help-topic.ts';
import { keptLine, shownLine } from './masked.ts';
import { useHistory, type LineHistory } from './use-history.ts';
import { useRun, type Runner } from './use-run.ts';

/** What stands above the line. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'run'; readonly line: string; readonly spec: KnownCommand };

/** What has to be answered before anything is sent. */
export type Asked =
  | { readonly kind: 'change'; readonly parsed: ParsedLine; readonly spec: KnownCommand }
  | { readonly kind: 'reveal'; readonly guid: string; readonly reason: string };

export interface CommandLine {
  readonly line: string;
  readonly isTried: boolean;
  readonly shown: Shown;
  readonly asked: Asked | null;
  readonly runner: Runner;
  readonly history: LineHistory;
  setLine(line: string): void;
  submit(line: string): void;
  /** Sends the change that was asked about. */
  confirm(): void;
  cancel(): void;
}

/** From a typed line to a run: help, lint, the question before a change, history. */
export function useCommandLine(): CommandLine {
  const history = useHistory();
  const runner = useRun();
  const [line, setLineOnly] = useState('');
  const [isTried, setTried] = useState(false);
  const [shown, setShown] = useState<Shown>({ kind: 'nothing' });
  const [asked, setAsked] = useState<Asked | null>(null);
  const setLine = (next: string) => {
    setLineOnly(next);
    setTried(false);
  };
  const start = (parsed: ParsedLine, spec: KnownCommand) => {
    setAsked(null);
    history.remember(keptLine(spec, parsed.args, parsed.options));
    history.leave();
    setShown({ kind: 'run', line: shownLine(spec, parsed.args, parsed.options), spec });
    setLine('');
    const { all, wait } = parsed.options;
    const options = { ...(all === undefined ? {} : { all }), ...(wait === undefined ? {} : { wait }) };
    void runner.run({ name: spec.name, args: parsed.args, options });
  };
  const submit = (typed: string) => {
    const topic = helpTopic(typed);
    if (topic !== null) {
      setLine('');
      return setShown({ kind: 'help', topic });
    }
    const parsed = parseLine(typed);
    if (parsed.spec === undefined || parsed.problems.length > 0) return setTried(true);
    const question = questionOf(parsed, parsed.spec);
    if (question === null) start(parsed, parsed.spec);
    else setAsked(question);
  };
  useDraft(setLine, submit);
  return {
    line,
    isTried,
    shown,
    asked,
    runner,
    history,
    setLine,
    submit,
    confirm: () => (asked?.kind === 'change' ? start(asked.parsed, asked.spec) : undefined),
    cancel: () => setAsked(null),
  };
}

/** Changes and reveals ask first; reading does not. */
function questionOf(parsed: ParsedLine, spec: KnownCommand): Asked | null {
  const { reveal, reason } = parsed.options;
  const guid = parsed.args['connector_guid'];
  if (reveal === true && reason !== undefined && typeof guid === 'string') return { kind: 'reveal', guid, reason };
  return spec.risk === 'read' ? null : { kind: 'change', parsed, spec };
}

/** Takes lines that other parts of the window put here. */
function useDraft(setLine: (line: string) => void, submit: (line: string) => void): void {
  const draft = useUi((ui) => ui.draft);
  const takeDraft = useUi((ui) => ui.takeDraft);
  const latest = useRef({ setLine, submit });
  useEffect(() => {
    latest.current = { setLine, submit };
  });
  useEffect(() => {
    // React may run an effect twice; a line is taken, and run, once.
    const taken = draft === null ? null : takeDraft();
    if (taken === null) return;
    latest.current.setLine(taken.line);
    if (taken.run) latest.current.submit(taken.line);
  }, [draft, takeDraft]);
}
