import type { AppInfo } from '#shared/contract/contract.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { FrameState } from '#shared/model/frame.ts';

import { createApiClient } from './api/client.ts';
import type { ApiClient } from './api/types.ts';
import { createRunner } from './commands/runner.ts';
import type { Runner } from './commands/types.ts';
import type { Connections, SettingsStore } from './connections/types.ts';
import { frameOf } from './frame.ts';
import type { IncidentLog } from './incidents/types.ts';
import { createInventories, currentClient, type Inventories } from './inventories.ts';
import type { Inventory } from './inventory/types.ts';
import { isolateCommand, releaseCommand } from './isolation/receipt.ts';
import { startWatch, type Watch } from './isolation/watch.ts';
import { createLiveStream, type LiveStream } from './live.ts';
import { createProgramLog, type ProgramLog } from './log.ts';
import type { Ports } from './ports.ts';
import { openProfile, type Profile } from './profile.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { startRefresher, type Refresher } from './refresher.ts';
import { createRouter, type AppRouter } from './router.ts';
import { stoppable } from './stoppable.ts';

export interface AppOptions {
  readonly version: string;
  /** Changes with every start of the host; made at random when left out. */
  readonly instance?: string | undefined;
  /** The embedded sandbox that the entry started; it is a connection for as long as the app runs. */
  readonly sandbox?: { readonly url: string; readonly clientId: string; readonly apiKey: string } | undefined;
  /** Whether this process keeps the local copy fresh and watches pending isolations. Default: true. */
  readonly console?: boolean | undefined;
  /** Default: stderr. */
  readonly programLog?: ProgramLog | undefined;
}

/** The whole application of one host. Whoever made it calls `stop`; a second call waits for the first. */
export interface App {
  /** For the RPC handlers of the hosts; it needs no context. */
  readonly router: AppRouter;
  readonly info: () => Promise<AppInfo>;
  readonly runner: Runner;
  readonly connections: Connections;
  readonly settings: SettingsStore;
  readonly log: IncidentLog;
  readonly live: LiveStream;
  /** The local copy of a connection, opened on first use. Throws `unknown_connection`. */
  readonly inventory: (connection: string) => Inventory;
  readonly frame: (connection: string) => FrameState;
  /** Ends timers, streams, calls and files within 3 s. */
  stop(): Promise<void>;
}

/** Builds the services in order; what was opened is closed again when a later one fails. */
export async function createApp(ports: Ports, options: AppOptions): Promise<App> {
  const programLog = options.programLog ?? createProgramLog();
  const profile = openProfile(ports, { createClient: createApiClient, userAgent: `Cordon/${options.version}` });
  try {
    if (options.sandbox !== undefined) await profile.connections.registerSandbox(options.sandbox);
    return assemble(ports, options, profile, programLog);
  } catch (error) {
    await profile.stop();
    throw error;
  }
}

function assemble(ports: Ports, options: AppOptions, profile: Profile, programLog: ProgramLog): App {
  const { clock } = ports;
  const { settings, log } = profile;
  const isConsole = options.console ?? true;
  const onTrouble = (message: string, error: unknown): void => programLog.warn({ err: error }, message);
  const instance = options.instance ?? Buffer.from(ports.random(8)).toString('hex');
  const watches = new Map<string, Watch>();
  const connections = announcing(profile.connections, (id) => publisher.frameChanged(id));

  const inventories: Inventories = createInventories({
    profile: ports.profile,
    clock,
    connections,
    onOpen(connection, inventory) {
      if (isConsole) watches.set(connection.id, watchOver(connection, inventory));
    },
    onChange(connection, { guid }) {
      const revision = inventories.opened(connection)?.state().revision ?? 0;
      if (guid !== null) live.publish({ kind: 'computer', connection, guid });
      live.publish({ kind: 'computers', connection, revision });
      publisher.frameChanged(connection);
    },
  });
  const watchOver = (connection: Connection, inventory: Inventory): Watch => {
    const client = currentClient(connections, connection.id);
    const onTooLong = (guid: string): void => ports.notify(tooLongNotice(connection, inventory, guid));
    return startWatch({ connection, client, inventory, log, clock, onTooLong, onTrouble });
  };

  const ended = new AbortController();
  const plainRunner = createRunner({
    clock,
    connections,
    log,
    locks: profile.locks,
    inventory: inventories.open,
    onTrouble,
  });
  const runner = stoppable(plainRunner, ended.signal, (connection, name, guid) => {
    if (name === isolateCommand || name === releaseCommand) watches.get(connection)?.follow(guid);
  });
  const frame = (id: string): FrameState => frameOf({ connections, runner, inventory: inventories.opened }, id);
  const openFrame = (id: string): FrameState => frameOf({ connections, runner, inventory: inventories.open }, id);

  const live: LiveStream = createLiveStream({
    greeting: () => [{ kind: 'hello', instance }, ...framesOf(connections, frame, onTrouble)],
  });
  const publisher: Publisher = createPublisher({ publish: live.publish, frame, onTrouble });
  const refresher: Refresher | undefined = isConsole
    ? startRefresher({
        clock,
        active: () => activeConnection(connections, settings),
        open: inventories.open,
        distrusted: (id) => connections.find(id).sandbox,
        onTrouble,
      })
    : undefined;

  const unlisten = [
    connections.onChange(() => {
      live.publish({ kind: 'connections' });
      for (const { id } of connections.list()) publisher.frameChanged(id);
      refresher?.poke();
    }),
    settings.onChange(() => {
      live.publish({ kind: 'settings' });
      refresher?.poke();
    }),
    log.onAppend((seq) => live.publish({ kind: 'log', seq })),
    runner.onRunning((connection) => publisher.frameChanged(connection)),
  ];

  const forget = async (id: string): Promise<void> => {
    await watches.get(id)?.stop();
    watches.delete(id);
    await inventories.forget(id);
  };
  const info = (): Promise<AppInfo> => describeApp(ports, options.version, instance);
  const router = createRouter({
    ports,
    profile,
    connections,
    runner,
    inventories,
    live,
    programLog,
    info,
    forget,
    frame: openFrame,
    stopping: ended.signal,
  });

  const stopAll = async (): Promise<void> => {
    ended.abort(new CordonError('cancelled', 'Cordon is stopping.'));
    for (const off of unlisten) off();
    publisher.stop();
    live.stop();
    await Promise.all([refresher?.stop(), ...[...watches.values()].map((watch) => watch.stop()), runner.settled()]);
    await inventories.stop();
    await profile.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    router,
    info,
    runner,
    settings,
    log,
    live,
    frame,
    connections: profile.connections,
    inventory: inventories.open,
    stop: () => (stopped ??= stopAll()),
  };
}

/** Tells of every client that is made, so that its budget and link reach the frame. */
function announcing(connections: Connections, onChange: (connection: string) => void): Connections {
  const known = new WeakSet<ApiClient>();
  const client = (id: string): ApiClient => {
    const made = connections.client(id);
    if (known.has(made)) return made;
    known.add(made);
    made.onChange(() => onChange(id));
    return made;
  };
  return { ...connections, client };
}

function activeConnection(connections: Connections, settings: SettingsStore): string | undefined {
  const wanted = settings.get().activeConnection;
  const list = connections.list();
  return (list.find(({ id }) => id === wanted) ?? list[0])?.id;
}

function* framesOf(
  connections: Connections,
  frame: (id: string) => FrameState,
  onTrouble: (message: string, error: unknown) => void,
): Iterable<{ readonly kind: 'frame'; readonly frame: FrameState }> {
  for (const { id } of connections.list()) {
    try {
      yield { kind: 'frame', frame: frame(id) };
    } catch (error) {
      onTrouble('A frame could not be put together.', error);
    }
  }
}

function tooLongNotice(connection: Connection, inventory: Inventory, guid: string) {
  const name = inventory.row(guid)?.hostname ?? guid;
  const what = inventory.row(guid)?.isolation === 'pending_stop' ? 'release' : 'isolation';
  return {
    title: `${name} waits too long`,
    body: `The ${what} of ${name} on ${connection.name} was accepted more than ten minutes ago, and its agent has not answered.`,
    open: `/computers/${guid}`,
  };
}

async function describeApp(ports: Ports, version: string, instance: string): Promise<AppInfo> {
  const reason = await ports.secrets.unavailable();
  return {
    version,
    host: ports.host === 'desktop' ? 'desktop' : 'headless',
    operator: ports.operator,
    profile: ports.profile,
    instance,
    secretStore: { kind: ports.secrets.kind, available: reason === null, reason },
  };
}
