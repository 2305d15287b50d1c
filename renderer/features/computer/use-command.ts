import { useRef, useState } from 'react';

import { findCommand, type CommandName } from '#shared/commands/catalogue.ts';
import type { CommandResult } from '#shared/commands/result.ts';
import type { CordonError } from '#shared/contract/errors.ts';
import type { RunProgress } from '#shared/contract/live.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { useProgress, useSettings } from '../../api/hooks.ts';
import { shownLine } from '../../commands/masked.ts';
import { runFailure } from '../../commands/stopped.ts';
import { useUi } from '../../state/ui.tsx';

export type Outcome =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly result: CommandResult }
  | { readonly kind: 'failed'; readonly error: CordonError };

export interface CommandRun {
  readonly outcome: Outcome;
  readonly progress: RunProgress | null;
  start(args: Readonly<Record<string, string>>): Promise<Outcome>;
  stop(): void;
  reset(): void;
}

/** Runs one command from a screen; what it did is in the incident log whatever becomes of this page. */
export function useCommand(name: CommandName): CommandRun {
  const { client, live } = useApi();
  const connection = useActiveConnection();
  const { activeIncident } = useSettings();
  const setLastCommand = useUi((ui) => ui.setLastCommand);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'idle' });
  const [run, setRun] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);

  const start = async (args: Readonly<Record<string, string>>): Promise<Outcome> => {
    const id = crypto.randomUUID();
    const control = new AbortController();
    abort.current = control;
    setRun(id);
    setOutcome({ kind: 'running' });
    const spec = findCommand(name);
    if (spec !== undefined) setLastCommand(shownLine(spec, args));
    const next = await client.commands
      .run(
        { connection: connection.id, name, args: { ...args }, surface: 'screen', incident: activeIncident, run: id },
        { signal: control.signal },
      )
      .then((result): Outcome => ({ kind: 'done', result }))
      .catch((error: unknown): Outcome => ({ kind: 'failed', error: runFailure(error, spec) }));
    live.endRun(id);
    if (abort.current === control) setOutcome(next);
    return next;
  };
  return {
    outcome,
    progress: useProgress(run),
    start,
    stop: () => abort.current?.abort(),
    reset: () => setOutcome({ kind: 'idle' }),
  };
}
