import { CordonError } from '#shared/contract/errors.ts';
import type { Connection, TestResult } from '#shared/model/connection.ts';

import type { BudgetLedger, ClientOptions } from '../api/types.ts';
import { createClients } from './clients.ts';
import { add, registerSandbox, remove, setLocked, update } from './edit.ts';
import { checkInput } from './input.ts';
import { openKeys } from './keys.ts';
import { createMemoryLedger, openLedger } from './ledger.ts';
import { createListeners } from './listeners.ts';
import type { ConnectionsOptions, Parts } from './parts.ts';
import { getStored, listStored, lockedSince, type Stored } from './rows.ts';
import type { TestSubject } from './test-connection.ts';
import { createTransients } from './transients.ts';
import type { Connections } from './types.ts';

/** Opens nothing by itself: the database is read with the first question, and whoever made it closes it. */
export function openConnections(options: ConnectionsOptions): Connections {
  const keys = openKeys(options.secrets);
  const transients = createTransients(options.clock);
  const all = (): readonly Stored[] => [...listStored(options.database), ...transients.list()];
  const get = (id: string): Stored => {
    const stored = transients.get(id) ?? getStored(options.database, id);
    if (stored === undefined)
      throw new CordonError('unknown_connection', `There is no connection ${id}.`, { field: 'connection' });
    return stored;
  };
  const mode: Connections['mode'] = (id) => {
    const { connection } = get(id);
    if (connection.readOnly) return { kind: 'read_only', because: 'connection', since: null };
    const since = lockedSince(options.database, id);
    return since === undefined ? { kind: 'guarded' } : { kind: 'read_only', because: 'locked', since };
  };
  const keyOf = ({ id, name }: Connection): Promise<string> => transients.keyOf(id) ?? keys.read(id, name);
  const clientOptions = (connection: Connection): ClientOptions => ({
    connection: connection.id,
    url: connection.url,
    clientId: connection.clientId,
    apiKey: () => keyOf(connection),
    insecure: connection.insecure,
    clock: options.clock,
    proxyEnvironment: options.proxyEnvironment,
    ledger: openLedger(options.database, connection.id),
    mode: () => mode(connection.id),
    userAgent: options.userAgent,
  });
  const clients = createClients(({ connection }) => options.createClient(clientOptions(connection)));
  // Everything that the frame shows of connections; sandboxes that ended drop out of the list.
  const seen = (): string =>
    JSON.stringify(all().map((stored) => [stored, lockedSince(options.database, stored.connection.id)]));
  const listeners = createListeners(options.clock, seen);
  const parts: Parts = { ...options, keys, clients, transients, listeners };

  return {
    list: () => all().map((stored) => stored.connection),
    find: (idOrName) =>
      findAmong(
        all().map((stored) => stored.connection),
        idOrName,
      ),
    add: (input) => add(parts, input),
    update: (id, change) => update(parts, get(id).connection, change),
    remove: (id) => remove(parts, get(id).connection),
    registerSandbox: (sandbox) => registerSandbox(parts, sandbox),
    addTransient: (input) => transients.add(checkInput(input), input.apiKey),
    test: (subject, signal) => {
      const stored = subject.id === undefined ? undefined : get(subject.id).connection;
      const ledger = (sameServer: boolean): BudgetLedger =>
        stored !== undefined && sameServer ? openLedger(options.database, stored.id) : createMemoryLedger();
      return testLater(options, { stored, draft: subject.draft ?? {}, keyOf, ledger }, signal);
    },
    client: (id) => clients.of(get(id)),
    mode,
    setLocked: (id, locked) => setLocked(parts, get(id).connection, locked),
    ledger: (id) => openLedger(options.database, id),
    onChange: (listener) => listeners.add(listener),
    stop: async () => {
      listeners.stop();
      await clients.stop();
    },
  };
}

/** Loaded when it is needed: no other command of the command line does. */
async function* testLater(
  options: ConnectionsOptions,
  subject: TestSubject,
  signal: AbortSignal,
): AsyncGenerator<TestResult, void> {
  const [{ testConnection }, { networkProbe }] = await Promise.all([
    import('./test-connection.ts'),
    import('./network-probe.ts'),
  ]);
  yield* testConnection({ ...options, probe: options.probe ?? networkProbe }, subject, signal);
}

function findAmong(list: readonly Connection[], idOrName: string | undefined): Connection {
  if (idOrName !== undefined) {
    const wanted = idOrName.toLowerCase();
    const found = list.find((one) => one.id === idOrName) ?? list.find((one) => one.name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    throw new CordonError('unknown_connection', `There is no connection ${idOrName}.`, {
      field: 'connection',
      fix: knownNames(list),
    });
  }
  const [only, ...others] = list;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new CordonError('no_connection', 'Several connections are configured: say which one.', {
      field: 'connection',
      fix: knownNames(list),
    });
  throw new CordonError('no_connection', undefined, {
    fix: 'Add your service with "cordon connections add", or start the console ("npm start"), which opens on a sandbox.',
  });
}

function knownNames(list: readonly Connection[]): string {
  return list.length === 0 ? 'No connection is configured.' : `Connections: ${list.map((one) => one.name).join(', ')}.`;
}
