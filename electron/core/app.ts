/** The application of one host: builds the services in order and ends them in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { AppInfo } from '#shared/contract/contract.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { FrameState } from '#shared/model/frame.ts';

import { createApiClient } from './api/client.ts';
import { announcing } from './announcing.ts';
import { closeOrphans } from './commands/orphans.ts';
import { createRunner } from './commands/runner.ts';
import type { Runner } from './commands/types.ts';
import type { Connections, SettingsStore } from './connections/types.ts';
import { startEventRefresher } from './event-refresher.ts';
import { createEventStores, type EventStores } from './event-stores.ts';
import type { EventStore } from './events/types.ts';
import { createDirectories, type Directories } from './directories.ts';
import type { Directory } from './directory/types.ts';
import { createFollower, type Follower } from './follower.ts';
import { frameOf } from './frame.ts';
import type { IncidentLog } from './incidents/types.ts';
import { startInstances, type RunningInstances } from './instances/console.ts';
import type { OpenedInstances } from './instances/open.ts';
import type { Instances } from './instances/types.ts';
import { createInventories, type Inventories } from './inventories.ts';
import type { Inventory } from './inventory/types.ts';
import { createLiveStream, type LiveStream } from './live.ts';
import { createProgramLog, type ProgramLog } from './log.ts';
import type { Ports } from './ports.ts';
import { openProfile, type Profile } from './profile.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { startRefresher, type Refresher } from './refresher.ts';
import { createRouter, type AppRouter } from './router.ts';
import { stoppable, type StoppableRunner } from './stoppable.ts';
import { createTrajectories, type Trajectories } from './trajectory/trajectories.ts';

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
  /** The local copy of groups' details, policies and file lists, likewise. */
  readonly directory: (connection: string) => Directory;
  /** The stored events of a connection, opened on first use. Throws `unknown_connection`. */
  readonly events: (connection: string) => EventStore;
  readonly frame: (connection: string) => FrameState;
  /** Instances and the forwarding server; they run in the process that owns the console. */
  readonly instances: Instances;
  /** Ends timers, streams, calls and files within 3 s. */
  stop(): Promise<void>;
}

/** Builds the services in order; what was opened is closed again when a later one fails. */
export async function createApp(ports: Ports, options: AppOptions): Promise<App> {
  const profile = openProfile(ports, {
    createClient: createApiClient,
    userAgent: `Cordon/${options.version}`,
  });
  try {
    // Opened now, so that a profile that cannot be used is told at the start.
    const { connections } = profile;
    if (options.sandbox !== undefined) await connections.registerSandbox(options.sandbox);
    const opened = await profile.openInstances();
    return assemble(createServices(ports, options, profile, opened), options);
  } catch (error) {
    await profile.stop();
    throw error;
  }
}

/** The services, in the order in which they stand on each other. */
interface Services {
  readonly ports: Ports;
  readonly profile: Profile;
  readonly programLog: ProgramLog;
  readonly instance: string;
  readonly connections: Connections;
  readonly runner: StoppableRunner;
  readonly inventories: Inventories;
  readonly directories: Directories;
  readonly trajectories: Trajectories;
  readonly eventStores: EventStores;
  readonly instances: Instances;
  /** Only in the process that owns the console. */
  readonly running: RunningInstances | undefined;
  readonly follower: Follower;
  readonly live: LiveStream;
  readonly publisher: Publisher;
  readonly refresher: Refresher | undefined;
  readonly eventRefresher: Refresher | undefined;
  /** Opens the local copy where needed. */
  readonly openFrame: (connection: string) => FrameState;
  /** Shows the local copy only if it is open. */
  readonly frame: (connection: string) => FrameState;
  readonly ended: AbortController;
}

function createServices(ports: Ports, options: AppOptions, profile: Profile, opened: OpenedInstances): Services {
  const { clock } = ports;
  const { settings, log, locks } = profile;
  const programLog = options.programLog ?? createProgramLog();
  const onTrouble = (message: string, error: unknown): void => programLog.warn({ err: error }, message);
  const instance = options.instance ?? Buffer.from(ports.random(8)).toString('hex');
  const isConsole = options.console ?? true;
  const ended = new AbortController();

  const connections = announcing(profile.connections, (id) => publisher.frameChanged(id));
  const follower = createFollower({ ports, connections, log, onTrouble, enabled: isConsole });
  // The embedded sandbox forgets with its process, and the next one may be another tenant.
  const worthless = (connection: Connection): boolean => isConsole && connection.sandbox;
  const inventories: Inventories = createInventories({
    profile: ports.profile,
    clock,
    connections,
    worthless,
    console: isConsole,
    onOpen: follower.watch,
    onChange: (connection, change) => publisher.computersChanged(connection, change.guid),
  });
  const eventStores = createEventStores({
    profile: ports.profile,
    clock,
    connections,
    inventories,
    worthless,
    onChange: (connection, store) => live.publish({ kind: 'events', connection, revision: store.state().revision }),
  });
  const trajectories = createTrajectories({
    profile: ports.profile,
    connections,
    worthless: (connection) => isConsole && connection.sandbox,
  });
  const directories: Directories = createDirectories({
    profile: ports.profile,
    clock,
    connections,
    inventories,
    seen: (connection) => eventStores.opened(connection),
    worthless: (connection) => isConsole && connection.sandbox,
    onChange: (connection) => publisher.directoryChanged(connection),
    onTrouble,
  });
  const [inventory, directory] = [inventories.open, directories.open];
  const plain = createRunner({ clock, connections, log, locks, inventory, directory, onTrouble });
  const runner = stoppable(plain, ended.signal, follower.commandEnded);
  const frame = (id: string): FrameState => frameOf({ connections, runner, inventory: inventories.opened }, id);
  const openFrame = (id: string): FrameState => frameOf({ connections, runner, inventory: inventories.open }, id);
  const live = createLiveStream({ greeting: () => [{ kind: 'hello', instance }, ...publisher.frames()] });
  const publisher: Publisher = createPublisher({
    connections,
    inventories,
    directories,
    publish: live.publish,
    frame,
    onTrouble,
  });
  const active = (): string | undefined => activeConnection(connections, settings);
  const refresher = isConsole ? startRefresher({ clock, active, open: inventories.open, onTrouble }) : undefined;
  const eventRefresher = isConsole
    ? startEventRefresher({
        clock,
        active,
        open: eventStores.open,
        budget: (id) => connections.client(id).budget(),
        onTrouble,
      })
    : undefined;
  const running = isConsole
    ? startInstances({
        ports,
        opened,
        database: profile.database,
        connections,
        onEvent: () => live.publish({ kind: 'instances' }),
        onTrouble: (message, error) => programLog.warn({ ...(error !== undefined && { err: error }) }, message),
      })
    : undefined;
  const instances = running?.instances ?? opened.instances;
  const parts = { connections, runner, inventories, directories, instances, running, follower, live, publisher };
  const refreshers = { refresher, eventRefresher };
  return {
    ports,
    profile,
    programLog,
    instance,
    ended,
    frame,
    openFrame,
    trajectories,
    eventStores,
    ...refreshers,
    ...parts,
  };
}

function assemble(services: Services, options: AppOptions): App {
  const { ports, profile, connections, runner, inventories, live, frame } = services;
  const info = (): Promise<AppInfo> => describeApp(ports, options.version, services.instance);
  if (options.console ?? true) tellOrphans(services);
  const unlisten = announceChanges(services);
  let stopped: Promise<void> | undefined;
  return {
    router: createRouter({
      ...services,
      info,
      frame: services.openFrame,
      forget: (id) => forget(services, id),
      stopping: services.ended.signal,
    }),
    info,
    runner,
    connections,
    settings: profile.settings,
    log: profile.log,
    live,
    inventory: inventories.open,
    directory: services.directories.open,
    events: services.eventStores.open,
    frame,
    instances: services.instances,
    stop: () => (stopped ??= stopAll(services, unlisten)),
  };
}

function tellOrphans({ profile, programLog }: Services): void {
  try {
    closeOrphans(profile.log, profile.locks);
  } catch (error) {
    programLog.warn({ err: error }, 'Changes without an outcome could not be looked after.');
  }
}

/** Every change that a page should hear of goes to the live stream. Returns the ways to stop listening. */
function announceChanges(services: Services): readonly (() => void)[] {
  const { profile, connections, runner, live, publisher } = services;
  const poke = (): void => {
    services.refresher?.poke();
    services.eventRefresher?.poke();
  };
  return [
    connections.onChange(() => {
      live.publish({ kind: 'connections' });
      publisher.everyFrameChanged();
      poke();
    }),
    profile.settings.onChange(() => {
      live.publish({ kind: 'settings' });
      poke();
    }),
    profile.log.onAppend((seq) => live.publish({ kind: 'log', seq })),
    runner.onRunning(publisher.frameChanged),
  ];
}

/** The local copy of a connection that is gone or leads elsewhere, and the watch over it. */
async function forget(
  { follower, inventories, directories, eventStores, trajectories }: Services,
  connection: string,
): Promise<void> {
  await follower.leave(connection);
  await directories.forget(connection);
  await eventStores.forget(connection);
  await inventories.forget(connection);
  await trajectories.forget(connection);
}

/** How long a change that was sent may still wait for its answer when the application stops, in real time. */
const patienceMs = 1000;

/** Resolves when the work is done, or after so many milliseconds. */
async function firstOf(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  // Not the clock's time: a socket lives in real time, and so does the supervisor that waits for the end.
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, late]).finally(() => done.abort());
}

async function stopAll(services: Services, unlisten: readonly (() => void)[]): Promise<void> {
  const { ended, live, publisher, follower, runner, connections, inventories, profile } = services;
  const { refresher, eventRefresher, eventStores } = services;
  ended.abort(new CordonError('cancelled', 'Cordon is stopping.'));
  for (const off of unlisten) off();
  live.stop();
  publisher.stop();
  const instancesEnded = services.running?.stop();
  const atRest = Promise.all([refresher?.stop(), eventRefresher?.stop(), follower.stop(), runner.settled()]);
  await firstOf(atRest, patienceMs);
  // What still waits for its answer is cut off, and its outcome written down as unknown.
  await connections.stop();
  await atRest;
  await services.directories.stop();
  await Promise.all([inventories.stop(), eventStores.stop()]);
  services.trajectories.stop();
  await instancesEnded;
  await profile.stop();
}

function activeConnection(connections: Connections, settings: SettingsStore): string | undefined {
  const wanted = settings.get().activeConnection;
  const list = connections.list();
  return (list.find(({ id }) => id === wanted) ?? list[0])?.id;
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
