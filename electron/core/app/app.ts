/** The application of one host: builds the services in order and ends them in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { AppInfo } from '#shared/contract/contract.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { CopyKind } from '#shared/contract/local.ts';
import type { FrameState } from '#shared/model/frame.ts';

import { createApiClient } from '#core/service/api/client.ts';
import { watchOrphans } from '#core/actions/commands/orphans.ts';
import type { Runner } from '#core/actions/commands/types.ts';
import type { Connections, SettingsStore } from '#core/service/connections/types.ts';
import type { EventStore } from '#core/replicas/events/types.ts';
import type { Directory } from '#core/replicas/directory/types.ts';
import type { IncidentLog, NewEntry } from '#core/record/incidents/types.ts';
import type { Instances } from './gateway.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { Jobs } from '#core/work/jobs/types.ts';
import type { LiveStream } from './live.ts';
import type { Ports } from '#core/base/ports.ts';
import { openProfile, type Profile } from './profile.ts';
import { readOverview } from './procedures/overview.ts';
import { every } from '#core/base/every.ts';
import { createRouter, type AppRouter } from './router.ts';
import { tellEnds } from './job-notices.ts';
import { createServices, type AppOptions, type Services } from './services.ts';
import type { Notices } from '#core/service/settings/notices.ts';
import { makeAttentionWatch } from '#core/service/settings/attention-watch.ts';

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
  readonly notices: Notices;
  /** The local copy of a connection, opened on first use. Throws `unknown_connection`. */
  readonly inventory: (connection: string) => Inventory;
  /** The local copy of groups' details, policies and file lists, likewise. */
  readonly directory: (connection: string) => Directory;
  /** The stored events of a connection, opened on first use. Throws `unknown_connection`. */
  readonly events: (connection: string) => EventStore;
  readonly frame: (connection: string) => FrameState;
  /** Instances and the forwarding server; they run in the process that owns the console. */
  readonly instances: Instances;
  readonly jobs: Jobs;
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
    if (options.sandbox !== undefined) {
      await connections.registerSandbox(options.sandbox);
      // Those of a tenant that is gone.
      await profile.custody.codes.forget('sandbox');
    }
    return await assembleOn(profile, ports, options);
  } catch (error) {
    await profile.stop();
    throw error;
  }
}

async function assembleOn(profile: Profile, ports: Ports, options: AppOptions): Promise<App> {
  const log = (entry: NewEntry): void => void profile.log.append(entry);
  const opened = options.gateway.open({ ports, database: profile.database, log });
  try {
    return assemble(createServices(ports, options, profile, opened), options);
  } catch (error) {
    await opened.stop();
    throw error;
  }
}

function assemble(services: Services, options: AppOptions): App {
  const { profile, connections, runner, inventories, live, frame } = services;
  const info = (): Promise<AppInfo> => describeApp(services, options.version);
  if (options.console ?? true) {
    lookAfterOrphans(services);
    watchAttention(services);
    recoverJobs(services);
    watchManaged(services);
  }
  const unlisten = announceChanges(services);
  let stopped: Promise<void> | undefined;
  return {
    router: createRouter({
      ...services,
      info,
      frame: services.openFrame,
      listEditor: services.listEditors.get,
      forget: (id) => forget(services, id),
      wipe: (id, kinds) => wipe(services, id, kinds),
      stopping: services.ended.signal,
    }),
    info,
    runner,
    connections,
    settings: profile.settings,
    log: profile.log,
    live,
    notices: services.notices,
    inventory: inventories.open,
    directory: services.directories.open,
    events: services.eventStores.open,
    frame,
    instances: services.instances,
    jobs: services.jobs,
    stop: () => (stopped ??= stopAll(services, unlisten)),
  };
}

function lookAfterOrphans({ ports, profile, ended, programLog }: Services): void {
  const { log, locks, custody } = profile;
  const onTrouble = (message: string, error: unknown): void => programLog.warn({ err: error }, message);
  void watchOrphans({ log, locks, codes: custody.codes, onTrouble }, ports.clock, ended.signal);
}

/** What an ended process left goes on here. */
function recoverJobs({ jobs, programLog }: Services): void {
  jobs.recover().catch((error: unknown) => programLog.warn({ err: error }, 'Jobs that were left could not go on.'));
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
    profile.labels.onChange((connection) => publisher.computersChanged(connection, null)),
    profile.custody.leases.onChange((connection, guid) => {
      if (connections.list().some(({ id }) => id === connection)) publisher.computersChanged(connection, guid);
    }),
    profile.log.onAppend((seq) => live.publish({ kind: 'log', seq })),
    runner.onRunning(publisher.frameChanged),
    services.jobs.onChange((connection, job) => {
      live.publish({ kind: 'job', connection, job });
      publisher.frameChanged(connection);
    }),
    tellEnds(services.jobs, services.notices.raise),
  ];
}

/** The local copy of a connection that is gone or leads elsewhere, and the watch over it. */
async function forget(
  { follower, inventories, directories, eventStores, trajectories, audits, searches, findings, listEditors }: Services,
  connection: string,
): Promise<void> {
  await follower.leave(connection);
  await directories.forget(connection);
  await eventStores.forget(connection);
  await inventories.forget(connection);
  trajectories.forget(connection);
  audits.forget(connection);
  searches.forget(connection);
  listEditors.opened()?.forget(connection);
  findings.forget(connection);
}

/** Some of the local copies. What is shown is read again, which makes them anew. */
async function wipe(services: Services, connection: string, kinds: ReadonlySet<CopyKind>): Promise<void> {
  const { follower, inventories, directories, eventStores, trajectories, audits, live, publisher } = services;
  if (kinds.has('directory')) await directories.forget(connection);
  if (kinds.has('events')) await eventStores.forget(connection);
  if (kinds.has('computers')) {
    await follower.leave(connection);
    await inventories.forget(connection);
  }
  if (kinds.has('trajectories')) trajectories.forget(connection);
  if (kinds.has('audit')) audits.forget(connection);
  publisher.frameChanged(connection);
  for (const kind of ['computers', 'directory', 'events'] as const)
    if (kinds.has(kind)) live.publish({ kind, connection, revision: 0 });
  services.refresher?.poke();
  services.eventRefresher?.poke();
}

const attentionEveryMs = 60_000;

/** Tells of what needs somebody on the connection that is in use. Ends with the application. */
function watchAttention(services: Services): void {
  const { ports, profile, connections, notices, ended, programLog } = services;
  const watch = makeAttentionWatch(notices.raise);
  const look = async (): Promise<void> => {
    const wanted = profile.settings.get().activeConnection;
    const listed = connections.list();
    const connection = listed.find(({ id }) => id === wanted) ?? listed[0];
    if (connection === undefined) return;
    const { attention } = await readOverview(services, connection.id);
    if (!ended.signal.aborted) watch.look(connection, attention, ports.clock.now());
  };
  void every(ports.clock, attentionEveryMs, ended.signal, () => {
    look().catch((error: unknown) => {
      if (!ended.signal.aborted) programLog.warn({ err: error }, 'What needs attention could not be told.');
    });
  });
}

const managedEveryMs = 2_000;

/** Tells the page, and the log, when the administrator's file changes while the console runs. */
function watchManaged({ ports, profile, publisher, live, ended, programLog }: Services): void {
  if (ports.managedFile === undefined) return;
  const { managed } = profile;
  let told = managed.generation();
  void every(ports.clock, managedEveryMs, ended.signal, () => {
    const now = managed.generation();
    try {
      managed.note();
    } catch (error) {
      programLog.warn({ err: error }, 'The change of the managed configuration could not be written down.');
    }
    if (now === told) return;
    told = now;
    live.publish({ kind: 'settings' });
    publisher.everyFrameChanged();
  });
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
  const { refresher, eventRefresher, eventStores, jobs } = services;
  ended.abort(new CordonError('cancelled', 'Cordon is stopping.'));
  for (const off of unlisten) off();
  live.stop();
  publisher.stop();
  const instancesEnded = services.running?.stop();
  const atRest = Promise.all([
    refresher?.stop(),
    eventRefresher?.stop(),
    follower.stop(),
    jobs.close(),
    services.leaseKeeper?.stop(),
    runner.settled(),
  ]);
  await firstOf(atRest, patienceMs);
  // What still waits for its answer is cut off, and its outcome written down as unknown.
  await connections.stop();
  await atRest;
  await services.directories.stop();
  await Promise.all([inventories.stop(), eventStores.stop()]);
  services.trajectories.stop();
  services.audits.stop();
  await services.listEditors.opened()?.stop();
  await instancesEnded;
  await services.opened.stop();
  await profile.stop();
}

async function describeApp({ ports, instance, presence }: Services, version: string): Promise<AppInfo> {
  const reason = await ports.secrets.unavailable();
  return {
    version,
    host: ports.host === 'desktop' ? 'desktop' : 'headless',
    operator: ports.operator,
    profile: ports.profile,
    instance,
    secretStore: {
      kind: ports.secrets.kind,
      available: reason === null,
      reason,
      asks: await presence.asks(),
    },
  };
}
