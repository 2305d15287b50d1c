import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import { findCommand } from '#shared/commands/catalogue.ts';

import { CommandInput } from '../../commands/CommandInput.tsx';
import { ConfirmChange } from '../../commands/ConfirmChange.tsx';
import { RevealCode } from '../../commands/RevealCode.tsx';
import { useScrollback } from '../../commands/Scrollback.tsx';
import { useCommandLine } from '../../commands/use-command-line.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Screen, ScreenBody } from '../../ui/Screen.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import styles from './CommandLine.module.css';
import { CommandsPanel } from './CommandsPanel.tsx';
import { LineBlock } from './LineBlock.tsx';
import { t } from './text.ts';
import { useBlocks } from './use-blocks.ts';

/** The command line with room: what was run stays above it, lines run side by side, the commands stand beside. */
export function CommandLineScreen() {
  const search = useSearch({ from: '/command-line' });
  const navigate = useNavigate({ from: '/command-line' });
  const scrollback = useScrollback();
  const help = search.help ?? null;
  const setHelp = (name: string | null) =>
    void navigate({ search: (old) => ({ ...old, help: name ?? undefined }), replace: true });
  const it = useCommandLine({
    onRun: scrollback.start,
    onHelp: (topic) => {
      setHelp(findCommand(topic) === undefined ? null : topic);
      setPanel(true);
    },
  });
  const [isPanel, setPanel] = useState(true);
  const screen = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLInputElement>(null);
  const focusLine = () => screen.current?.querySelector<HTMLInputElement>('[role="combobox"]')?.focus();
  const blocks = useBlocks(scrollback.lines.length, focusLine);
  useStartLine(
    search.line,
    it.setLine,
    () => void navigate({ search: (old) => ({ ...old, line: undefined }), replace: true }),
  );
  const running = scrollback.lines.filter(({ state }) => state.kind === 'running');
  const newest = running.at(-1);
  useKey('global.commandLine', focusLine);
  useKey('line.stop', () => (newest === undefined ? undefined : scrollback.stop(newest.id)), newest !== undefined);
  useKey('line.help', () => {
    // A panel that was put away has to be drawn first.
    if (isPanel) return list.current?.focus();
    setPanel(true);
    requestAnimationFrame(() => list.current?.focus());
  });
  useKey('line.earlier', () => blocks.move(-1));
  useKey('line.later', () => blocks.move(1));
  const typedCommand = /^!?(\w+)/.exec(it.line)?.[1];
  const typed = typedCommand === undefined ? undefined : findCommand(typedCommand)?.name;
  const pick = (name: string) => {
    it.setLine(`${name} `);
    focusLine();
  };
  return (
    <Screen screenRef={screen}>
      <ScreenBar
        title={t.commandLine}
        facts={running.length === 0 ? undefined : <span role="status">{t.running(running.length)}</span>}
      >
        <Button onPress={scrollback.clear} reason={scrollback.lines.length === 0 ? t.nothingRun : null}>
          {t.clear}
        </Button>
        <Button onPress={() => setPanel(!isPanel)} aria-expanded={isPanel}>
          {t.commands}
        </Button>
      </ScreenBar>
      <ScreenBody>
        <section className={styles['work']} aria-label={t.commandLine}>
          <div ref={blocks.scroller} className={styles['scroll']} role="log" aria-label={t.recentLines} aria-live="off">
            {scrollback.lines.length === 0 ? <EmptyState title={t.nothingRunYet}>{t.typeCommand}</EmptyState> : null}
            {scrollback.lines.map((line) => (
              <LineBlock
                key={line.id}
                ran={line}
                onStop={() => scrollback.stop(line.id)}
                onAgain={() => {
                  it.setLine(line.line);
                  focusLine();
                }}
              />
            ))}
          </div>
          <CommandInput
            value={it.line}
            onChange={it.setLine}
            onRun={it.submit}
            onClose={() => undefined}
            history={it.history}
            isTried={it.isTried}
            isShown
          />
        </section>
        {isPanel ? <CommandsPanel shown={help ?? typed ?? null} onShow={setHelp} onPick={pick} findRef={list} /> : null}
      </ScreenBody>
      {it.asked === null ? null : (
        <ConfirmChange
          spec={it.asked.spec}
          args={it.asked.parsed.args}
          options={it.asked.parsed.options}
          onConfirm={it.confirm}
          onCancel={it.cancel}
        />
      )}
      {it.reveal === null ? null : <RevealCode {...it.reveal} onClose={it.endReveal} />}
    </Screen>
  );
}

/** A link or the menu may bring a line. It stands there; only a person runs it. */
function useStartLine(line: string | undefined, setLine: (line: string) => void, taken: () => void): void {
  const latest = useRef({ setLine, taken });
  useEffect(() => {
    latest.current = { setLine, taken };
  });
  useEffect(() => {
    if (line === undefined) return;
    latest.current.setLine(line.replace(/^!/, '').replace(/[\r\n]+/g, ' '));
    latest.current.taken();
  }, [line]);
}
