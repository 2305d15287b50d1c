/** What the application of one host is made of, built in the order in which the parts stand on each other. */
import type { Connection } from '#shared/model/connection.ts';
import type { FrameState } from '#shared/model/frame.ts';

import { announcing } from './announcing.ts';
import type { ApiClient } from './api/types.ts';
import { createRunner } from './commands/runner.ts';
import { remembering } from './undo/before.ts';
import { openUndo } from './undo/undo.ts';
import type { UndoList } from './undo/types.ts';
import { openJobs } from './jobs/jobs.ts';
import type { Jobs } from './jobs/types.ts';
import { budgetPlanner, judgeForJobs } from './guards/for-jobs.ts';
import type { Connections, SettingsStore } from './connections/types.ts';
import { createDirectories, type Directories } from './directories.ts';
import { startEventRefresher } from './event-refresher.ts';
import { createEventStores, type EventStores } from './event-stores.ts';
import { createFindings, type Findings } from './findings.ts';
import { createFollower, type Follower } from './follower.ts';
import { frameOf } from './frame.ts';
import { startInstances, type RunningInstances } from './instances/console.ts';
import type { OpenedInstances } from './instances/open.ts';
import type { Instances } from './instances/types.ts';
import { createInventories, type Inventories } from './inventories.ts';
import { startLeaseKeeper } from './isolation/lease-keeper.ts';
import { createPresence, type Presence } from './isolation/presence.ts';
import { lazyListEditor, type LazyListEditor } from './list-editors.ts';
import { createLiveStream, type LiveStream } from './live.ts';
import { createProgramLog, keepLogTail, type ProgramLog } from './log.ts';
import type { Ports } from './ports.ts';
import type { Profile } from './profile.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createNotices, type Notices, type RaisedNotice } from './settings/notices.ts';
import { startRefresher, type Refresher } from './refresher.ts';
import { createSearches, type Searches } from './search/searches.ts';
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
  /** The last lines of `programLog`, newest last; none are known when left out. */
  readonly lastLines?: (() => readonly string[]) | undefined;
}

/** What is kept of the service on this computer. */
interface Copies {
  readonly inventories: Inventories;
  readonly directories: Directories;
  readonly trajectories: Trajectories;
  readonly eventStores: EventStores;
  readonly searches: Searches;
  readonly findings: Findings;
  readonly listEditors: LazyListEditor;
}

/** What runs by itself, only in the process that owns the console. */
interface Running {
  readonly running: RunningInstances | undefined;
  readonly refresher: Refresher | undefined;
  readonly eventRefresher: Refresher | undefined;
}

export interface Services extends Copies, Running {
  /** Reminds of the end of isolations, and releases what is to be released then. */
  readonly leaseKeeper: { stop(): Promise<void> } | undefined;
  /** Makes sure who asks for an unlock code. */
  readonly presence: Presence;
  readonly ports: Ports;
  readonly profile: Profile;
  readonly programLog: ProgramLog;
  readonly lastLines: () => readonly string[];
  readonly notices: Notices;
  readonly instance: string;
  readonly connections: Connections;
  readonly runner: StoppableRunner;
  readonly jobs: Jobs;
  readonly undo: UndoList;
  readonly instances: Instances;
  readonly follower: Follower;
  readonly live: LiveStream;
  readonly publisher: Publisher;
  /** Opens the local copy where needed. */
  readonly openFrame: (connection: string) => FrameState;
  /** Shows the local copy only if it is open. */
  readonly frame: (connection: string) => FrameState;
  readonly ended: AbortController;
}

/** What every part below is given. The live stream and the publisher come last and are asked for when something changes. */
interface Base {
  readonly ports: Ports;
  readonly profile: Profile;
  readonly opened: OpenedInstances;
  readonly connections: Connections;
  readonly isConsole: boolean;
  readonly programLog: ProgramLog;
  readonly onTrouble: (message: string, error: unknown) => void;
  readonly live: () => LiveStream;
  readonly publisher: () => Publisher;
  readonly jobs: () => Jobs;
}

export function createServices(ports: Ports, options: AppOptions, profile: Profile, opened: OpenedInstances): Services {
  const { clock } = ports;
  const { log, locks } = profile;
  const { programLog, lastLines } = logOf(options);
  const onTrouble = (message: string, error: unknown): void => programLog.warn({ err: error }, message);
  const instance = options.instance ?? Buffer.from(ports.random(8)).toString('hex');
  const isConsole = options.console ?? true;
  const ended = new AbortController();

  const connections = announcing(profile.connections, (id) => publisher.frameChanged(id));
  const follower = createFollower({
    ports,
    raise: (notice) => notices.raise(notice),
    connections,
    log,
    onTrouble,
    enabled: isConsole,
  });
  const asked = { live: () => live, publisher: () => publisher, jobs: () => jobs };
  const notices = createNotices({
    clock,
    random: ports.random,
    settings: () => profile.settings.get(),
    notify: ports.notify,
    onChange: () => live.publish({ kind: 'notices' }),
  });
  const base: Base = { ports, profile, opened, connections, isConsole, programLog, onTrouble, ...asked };
  const copies = createCopies(base, follower);
  const { inventories, directories } = copies;
  const [inventory, directory] = [inventories.open, directories.open];
  const plain = createRunner({
    clock,
    connections,
    log,
    locks,
    guards: profile.guards,
    custody: profile.custody,
    inventory,
    directory,
    knownHashes: (connection, hashes) => copies.listEditors.get().known(connection, hashes),
    onTrouble,
  });
  const known = remembering(plain, { inventory: inventories.opened, directory: directories.opened });
  const runner = stoppable(known, ended.signal, follower.commandEnded);
  const jobs = createJobs(base, copies, runner);
  const undo = openUndo({ clock, connections, log, runner, jobs, inventory });
  const framed = { connections, runner, jobs, clock, leases: profile.custody.leases };
  const frame = (id: string): FrameState => frameOf({ ...framed, inventory: inventories.opened }, id);
  const openFrame = (id: string): FrameState => frameOf({ ...framed, inventory }, id);
  const live = createLiveStream({ greeting: () => [{ kind: 'hello', instance }, ...publisher.frames()] });
  const { publish } = live;
  const publisher: Publisher = createPublisher({ connections, inventories, directories, publish, frame, onTrouble });
  const leaseKeeper = keepLeases(base, copies, runner, (notice) => notices.raise(notice));
  const presence = createPresence(ports);
  const started = startRunning(base, copies);
  const instances = started.running?.instances ?? opened.instances;
  const own = {
    ports,
    profile,
    programLog,
    lastLines,
    notices,
    instance,
    ended,
    connections,
    runner,
    leaseKeeper,
    presence,
    jobs,
    undo,
    instances,
    follower,
  };
  return { ...own, live, publisher, frame, openFrame, ...copies, ...started };
}

/** Who brings a log of its own says how its last lines are read. */
function logOf({ programLog, lastLines = () => [] }: AppOptions): Pick<Services, 'programLog' | 'lastLines'> {
  if (programLog !== undefined) return { programLog, lastLines };
  const tail = keepLogTail();
  return { programLog: createProgramLog({ destination: tail.destination }), lastLines: tail.lines };
}

function createCopies(base: Base, follower: Follower): Copies {
  const { ports, profile, connections, isConsole, onTrouble, live, publisher, jobs } = base;
  // The embedded sandbox forgets with its process, and the next one may be another tenant.
  const worthless = (connection: Connection): boolean => isConsole && connection.sandbox;
  const common = { profile: ports.profile, clock: ports.clock, connections, worthless };
  const inventories: Inventories = createInventories({
    ...common,
    console: isConsole,
    labels: (connection) => profile.labels.of(connection),
    onOpen: follower.watch,
    onChange: (connection, change) => publisher().computersChanged(connection, change.guid),
  });
  const eventStores: EventStores = createEventStores({
    ...common,
    inventories,
    keptEvents: () => base.profile.settings.get().keptEvents,
    onChange: (connection, store) => live().publish({ kind: 'events', connection, revision: store.state().revision }),
  });
  const directories: Directories = createDirectories({
    ...common,
    inventories,
    seen: (connection) => eventStores.opened(connection),
    onChange: (connection) => publisher().directoryChanged(connection),
    onTrouble,
  });
  const client = (connection: string): ApiClient => connections.client(connections.find(connection).id);
  const searches = createSearches({
    clock: ports.clock,
    client,
    sources: (connection) => ({
      inventory: inventories.open(connection),
      events: eventStores.open(connection),
      directory: directories.open(connection),
      log: base.profile.log,
    }),
  });
  const trajectories = createTrajectories(common);
  const listEditors = lazyListEditor({
    ...common,
    directories,
    eventStores,
    guards: profile.guards,
    jobs,
    onTrouble,
  });
  const findings = createFindings(client);
  return { inventories, eventStores, directories, trajectories, searches, findings, listEditors };
}

function createJobs(base: Base, { inventories, listEditors }: Copies, runner: StoppableRunner): Jobs {
  const { ports, profile, connections, isConsole, onTrouble } = base;
  const { clock } = ports;
  return openJobs({
    profile: ports.profile,
    clock,
    random: ports.random,
    operator: ports.operator,
    connections,
    log: profile.log,
    runner,
    inventory: inventories.open,
    judge: judgeForJobs(profile.guards, inventories.opened, (connection, hashes) =>
      listEditors.get().known(connection, hashes),
    ),
    planner: budgetPlanner({ database: profile.database, clock, connections }),
    leases: profile.custody.leases,
    forgets: (connection) => isConsole && connection.sandbox,
    onTrouble,
  });
}

function keepLeases(
  { ports, profile, connections, isConsole, onTrouble }: Base,
  { inventories }: Copies,
  runner: StoppableRunner,
  notify: (notice: RaisedNotice) => void,
): Services['leaseKeeper'] {
  if (!isConsole) return undefined;
  const known = (id: string): boolean => connections.list().some((each) => each.id === id);
  return startLeaseKeeper({
    leases: profile.custody.leases,
    clock: ports.clock,
    log: profile.log,
    client: (id) => (known(id) ? connections.client(id) : undefined),
    copy: inventories.opened,
    run: runner.run,
    notify,
    onTrouble,
  });
}

function startRunning(base: Base, { inventories, eventStores }: Copies): Running {
  const { ports, profile, opened, connections, isConsole, programLog, onTrouble, live } = base;
  if (!isConsole) return { running: undefined, refresher: undefined, eventRefresher: undefined };
  const active = (): string | undefined => activeConnection(connections, profile.settings);
  const common = { clock: ports.clock, active, onTrouble };
  return {
    refresher: startRefresher({ ...common, open: inventories.open }),
    eventRefresher: startEventRefresher({
      ...common,
      open: eventStores.open,
      budget: (id) => connections.client(id).budget(),
    }),
    running: startInstances({
      ports,
      opened,
      database: profile.database,
      connections,
      onEvent: () => live().publish({ kind: 'instances' }),
      onTrouble: (message, error) => programLog.warn({ ...(error !== undefined && { err: error }) }, message),
    }),
  };
}

function activeConnection(connections: Connections, settings: SettingsStore): string | undefined {
  const wanted = settings.get().activeConnection;
  const list = connections.list();
  return (list.find(({ id }) => id === wanted) ?? list[0])?.id;
}
