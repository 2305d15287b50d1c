/** What the application of one host is made of, built in the order in which the parts stand on each other. */
import type { FrameState } from '#shared/model/frame.ts';

import { announcing } from '#core/service/connections/announcing.ts';
import { createRunner } from '#core/actions/commands/runner.ts';
import type { Runner } from '#core/actions/commands/types.ts';
import { lookBefore } from '#core/work/undo/before.ts';
import { openUndo } from '#core/work/undo/undo.ts';
import type { UndoList } from '#core/work/undo/types.ts';
import { openJobs } from '#core/work/jobs/jobs.ts';
import type { Jobs } from '#core/work/jobs/types.ts';
import { budgetPlanner, judgeForJobs } from '#core/work/jobs/guard-rules.ts';
import type { Connections, SettingsStore } from '#core/service/connections/types.ts';
import { createCopies, type Base, type Copies } from './copies.ts';
import { startEventRefresher } from '#core/replicas/event-refresher.ts';
import { createFollower, type Follower } from '#core/actions/isolation/follower.ts';
import { frameOf } from './frame.ts';
import type { Gateway, Instances, OpenedGateway, RunningGateway } from './gateway.ts';
import { startLeaseKeeper } from '#core/actions/isolation/lease-keeper.ts';
import { createPresence, type Presence } from '#core/actions/isolation/presence.ts';
import { createLiveStream, type LiveStream } from './live.ts';
import { createProgramLog, keepLogTail, type ProgramLog } from '#core/base/log.ts';
import type { Ports } from '#core/base/ports.ts';
import type { Profile } from './profile.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createNotices, type Notices, type RaisedNotice } from '#core/service/settings/notices.ts';
import { startRefresher, type Refresher } from '#core/replicas/refresher.ts';
import { stoppable, type StoppableRunner } from '#core/actions/commands/stoppable.ts';

export interface AppOptions {
  readonly version: string;
  /** Instances and the forwarding server, which the host puts beside core. */
  readonly gateway: Gateway;
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

/** What runs by itself, only in the process that owns the console. */
interface Running {
  readonly running: RunningGateway | undefined;
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
  readonly opened: OpenedGateway;
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

export function createServices(ports: Ports, options: AppOptions, profile: Profile, opened: OpenedGateway): Services {
  const { clock } = ports;
  const { log } = profile;
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
  const inventory = inventories.open;
  const plain = makeRunner(base, copies);
  const runner = stoppable(plain, ended.signal, follower.commandEnded);
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
    opened,
    instances,
    follower,
  };
  return { ...own, live, publisher, frame, openFrame, ...copies, ...started };
}

function makeRunner({ ports, profile, connections, onTrouble }: Base, copies: Copies): Runner {
  const { clock } = ports;
  const { log, locks, guards, custody } = profile;
  const { inventories, directories, listEditors } = copies;
  return createRunner({
    ...{ clock, connections, log, locks, guards, custody, onTrouble },
    inventory: inventories.open,
    directory: directories.open,
    knownHashes: (...asked) => listEditors.get().known(...asked),
    lookBefore: lookBefore({
      clock,
      client: (id) => connections.client(id),
      inventory: inventories.opened,
      directory: directories.opened,
    }),
  });
}

/** Who brings a log of its own says how its last lines are read. */
function logOf({ programLog, lastLines = () => [] }: AppOptions): Pick<Services, 'programLog' | 'lastLines'> {
  if (programLog !== undefined) return { programLog, lastLines };
  const tail = keepLogTail();
  return { programLog: createProgramLog({ destination: tail.destination }), lastLines: tail.lines };
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
    judge: judgeForJobs(profile.guards, inventories.opened, (...asked) => listEditors.get().known(...asked)),
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
    running: opened.run({
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
