/** One command of the catalogue, run by the same runner as everywhere. */
import type { CommandRequest } from '#core/actions/commands/types.ts';
import type { CommandOptions, CommandResult } from '#shared/commands/result.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { Agreement } from '#shared/model/guard.ts';

import type { Invocation } from './argv.ts';
import { keptWords, wishOf } from './isolation-wish.ts';
import { chooseConnection } from './choose-connection.ts';
import { withRunner } from './command-runner.ts';
import type { CliHost } from './host.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';
import { printResult } from './result.ts';
import { withSession, type Session } from './session.ts';
import { computerOf } from '#shared/commands/arguments.ts';

type CommandInvocation = Invocation & { readonly kind: 'command' };

/** Everything that one run needs, once the profile is open. */
interface Run {
  readonly invocation: CommandInvocation;
  readonly session: Session;
  readonly host: CliHost;
  readonly connection: Connection;
  readonly output: Output;
  readonly signal: AbortSignal;
}

export async function runCommand(invocation: CommandInvocation, host: CliHost, output: Output): Promise<number> {
  const signal = AbortSignal.any([host.signal, output.gone]);
  return await withSession(invocation.globals, host, 'service', async (session) => {
    const connection = await chooseConnection(session.profile.connections, invocation.globals, host);
    return await runOn({ invocation, session, host, connection, output, signal });
  });
}

async function runOn(run: Run): Promise<number> {
  const { invocation, session, output } = run;
  let streamed = 0;
  const onRecords = (records: readonly unknown[]): void => {
    streamed += records.length;
    for (const record of records) output.json(record);
  };
  const isolation = wishOf(invocation, run.connection, session.profile.guards);
  const request: CommandRequest = {
    name: invocation.spec.name,
    args: invocation.args,
    options: commandOptions(invocation),
    connection: run.connection.id,
    agreement: agreementOf(invocation),
    isolation,
    incident: invocation.globals.incident ?? session.profile.settings.get().activeIncident,
    surface: 'cli',
    maxBudgetWaitMs: invocation.globals.maxWaitMs,
    signal: run.signal,
    onProgress: createProgress(output, () => session.ports.clock.monotonic()),
    onNotice: output.say,
    ...(output.mode === 'jsonl' && { onRecords, room: output.room }),
  };
  const forget = sayThatItIsAwaited(run);
  const result = await withRunner({ ...run, ...run.invocation }, (runner) => runner.run(request)).finally(forget);
  const code = invocation.options.reveal === true ? await reveal(run, result) : undefined;
  const printed = printResult(invocation.spec, result, output, { streamed, code });
  if (isolation !== undefined) output.say(keptWords(isolation));
  return printed;
}

/** Ctrl-C does not take back a change that was sent: it says so, and how to leave all the same. */
function sayThatItIsAwaited({ invocation, signal, output }: Run): () => void {
  if (invocation.spec.risk === 'read') return () => undefined;
  const say = (): void =>
    output.say('If the change was sent already, its answer is awaited. Ctrl-C again cuts it off.');
  signal.addEventListener('abort', say, { once: true });
  return () => signal.removeEventListener('abort', say);
}

async function reveal(run: Run, result: CommandResult): Promise<string | null> {
  const { invocation, session, connection, signal } = run;
  const { revealUnlockCode } = await import('#core/actions/isolation/reveal.ts');
  const guid = computerOf(result.args);
  if (guid === undefined) throw new CordonError('internal');
  const { code } = await revealUnlockCode(
    {
      client: () => session.profile.connections.client(connection.id),
      log: session.profile.log,
      codes: session.profile.custody.codes,
      clock: session.ports.clock,
      // A window that asks who sits before it asks for a command line too.
      presence: session.console?.presence,
    },
    {
      connection,
      guid,
      label: guid,
      reason: invocation.options.reason ?? '',
      passphrase: await passphraseFor(run),
      surface: 'cli',
      incident: invocation.globals.incident ?? null,
      signal,
    },
  );
  return code;
}

/** A console that was started with one asks for it; a profile that is opened here was opened with it. */
async function passphraseFor({ invocation, session, host }: Run): Promise<string | undefined> {
  const { passphraseFile } = invocation.globals;
  if (session.console === undefined || passphraseFile === undefined) return undefined;
  const { readSecretFile } = await import('./key.ts');
  return await readSecretFile(host, passphraseFile, 'passphrase-file');
}

function commandOptions({ options }: CommandInvocation): CommandOptions {
  const { all, wait } = options;
  return { ...(all !== undefined && { all }), ...(wait !== undefined && { wait }) };
}

function agreementOf({ options, spec }: CommandInvocation): Agreement {
  const { reason, ticket, confirm } = options;
  return {
    ...(reason !== undefined && spec.risk !== 'read' && { reason }),
    ...(ticket !== undefined && { ticket }),
    ...(confirm !== undefined && { confirm }),
  };
}
