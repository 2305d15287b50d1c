import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { parseLine, type KnownCommand, type ParsedLine } from '#shared/commands/parse.ts';

import { useActiveConnectionOrNull } from '../api/active.tsx';
import { useUi } from '../state/ui.tsx';
import { IconButton } from '../ui/Button.tsx';
import { CommandInput } from './CommandInput.tsx';
import { ConfirmChange } from './ConfirmChange.tsx';
import styles from './Drawer.module.css';
import { Help, helpTopic } from './Help.tsx';
import { keptLine, shownLine } from './masked.ts';
import { RevealCode } from './RevealCode.tsx';
import { RunOutput } from './RunOutput.tsx';
import { RunProgressLine } from './RunProgressLine.tsx';
import { useHistory } from './use-history.ts';
import { useRun } from './use-run.ts';

/** The command line at the foot of the window. */
export function Drawer() {
  const isOpen = useUi((ui) => ui.isDrawerOpen);
  const connection = useActiveConnectionOrNull();
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  // Once opened it stays, hidden when closed: what was typed and what came of it is there again.
  return wasOpen && connection !== null ? <Line key={connection.id} isOpen={isOpen} /> : null;
}

type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'run'; readonly line: string; readonly spec: KnownCommand };

type Asked =
  | { readonly kind: 'change'; readonly parsed: ParsedLine; readonly spec: KnownCommand }
  | { readonly kind: 'reveal'; readonly guid: string; readonly reason: string };

function Line({ isOpen }: { readonly isOpen: boolean }) {
  const draft = useUi((ui) => ui.draft);
  const takeDraft = useUi((ui) => ui.takeDraft);
  const setDrawer = useUi((ui) => ui.setDrawer);
  const history = useHistory();
  const runner = useRun();
  const [line, setLine] = useState('');
  const [isTried, setTried] = useState(false);
  const [shown, setShown] = useState<Shown>({ kind: 'nothing' });
  const [asked, setAsked] = useState<Asked | null>(null);

  const start = (parsed: ParsedLine, spec: KnownCommand) => {
    setAsked(null);
    history.remember(keptLine(spec, parsed.args, parsed.options));
    history.leave();
    setShown({ kind: 'run', line: shownLine(spec, parsed.args, parsed.options), spec });
    setLine('');
    setTried(false);
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
    const { reveal, reason } = parsed.options;
    const guid = parsed.args['connector_guid'];
    if (reveal === true && reason !== undefined && typeof guid === 'string')
      return setAsked({ kind: 'reveal', guid, reason });
    if (parsed.spec.risk === 'read') return start(parsed, parsed.spec);
    setAsked({ kind: 'change', parsed, spec: parsed.spec });
  };
  const latestSubmit = useRef(submit);
  useEffect(() => {
    latestSubmit.current = submit;
  });
  useEffect(() => {
    // React may run an effect twice; a line is taken, and run, once.
    const taken = draft === null ? null : takeDraft();
    if (taken === null) return;
    setLine(taken.line);
    if (taken.run) latestSubmit.current(taken.line);
  }, [draft, takeDraft]);

  const { state } = runner;
  return (
    <section className={styles['drawer']} aria-label="Command line" hidden={!isOpen}>
      <div className={styles['close']}>
        <IconButton label="Close the command line" size="small" onPress={() => setDrawer(false)}>
          <X size={14} />
        </IconButton>
      </div>
      <div className={styles['output']}>
        {shown.kind === 'help' ? <Help topic={shown.topic} onPick={(name) => setLine(`${name} `)} /> : null}
        {shown.kind === 'run' ? <p className={styles['ran']}>!{shown.line}</p> : null}
        {shown.kind === 'run' && state.kind === 'running' ? (
          <RunProgressLine run={state.run} since={state.since} onStop={runner.stop} />
        ) : null}
        {shown.kind === 'run' && (state.kind === 'done' || state.kind === 'failed') ? (
          <RunOutput spec={shown.spec} state={state} />
        ) : null}
        {shown.kind === 'nothing' ? (
          <p className={styles['hint']}>
            Type a command, or help for the list of them. Changes ask before they are sent; every command is written to
            the incident log.
          </p>
        ) : null}
      </div>
      <CommandInput
        value={line}
        onChange={(next) => {
          setLine(next);
          setTried(false);
        }}
        onRun={submit}
        onClose={() => setDrawer(false)}
        history={history}
        isTried={isTried}
        isShown={isOpen}
      />
      {asked?.kind === 'change' ? (
        <ConfirmChange
          spec={asked.spec}
          args={asked.parsed.args}
          onConfirm={() => start(asked.parsed, asked.spec)}
          onCancel={() => setAsked(null)}
        />
      ) : null}
      {asked?.kind === 'reveal' ? (
        <RevealCode guid={asked.guid} reason={asked.reason} onClose={() => setAsked(null)} />
      ) : null}
    </section>
  );
}
