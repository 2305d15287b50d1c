/** Instances of the process that owns the console: it runs them and the forwarding server, and tells what happens. */
import { join } from 'node:path';

import { CordonError } from '#shared/contract/errors.ts';
import type { InstanceHealth } from '#shared/model/instance.ts';

import type { Connections } from '../connections/types.ts';
import { every } from '../every.ts';
import { machineNames } from '../forwarder/tls/names.ts';
import type { Ports } from '../ports.ts';
import type { Database } from '../store/database.ts';
import { createBuiltins } from './builtins.ts';
import { fileListsOf } from './file-lists.ts';
import { createForwarderControl } from './forwarder-control.ts';
import { wantedOf } from './forwarder-wanted.ts';
import { viewInstances } from './instances.ts';
import type { OpenedInstances } from './open.ts';
import { endOrphans } from './orphans.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { openSigningKeys } from './signing-keys.ts';
import { historyOf, putProcess } from './state-rows.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { inTurns } from './turns.ts';
import type { InstanceRuntime, Instances } from './types.ts';

export interface ConsoleOptions {
  readonly ports: Ports;
  readonly opened: OpenedInstances;
  /** `profile.db`. */
  readonly database: Database;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  /** Something that a page shows changed; at most once a second for traffic alone. */
  readonly onEvent: () => void;
  readonly onTrouble: (message: string, error?: unknown) => void;
}

export interface RunningInstances {
  readonly instances: Instances;
  /** Ends programs, services and the forwarding server within about two seconds. A second call waits for the first. */
  stop(): Promise<void>;
}

/** Milliseconds of real time: how long programs and running requests may take to end. */
const patienceMs = { program: 1500, drain: 1000 };
/** How often own names and addresses are looked at again. */
const namesMs = 60_000;

export function startInstances(options: ConsoleOptions): RunningInstances {
  const { ports, opened, database, onEvent, onTrouble } = options;
  const { store, certificates } = opened;
  const { clock } = ports;
  const stopping = new AbortController();
  const keys = openSigningKeys(ports.secrets);
  let own = machineNames();

  const healthOf = (id: string): InstanceHealth => supervisor.health(id) ?? unknownHealth(clock.now());
  const traffic = createTraffic({
    clock,
    idOf: (name) => store.snapshot().instances.find((instance) => instance.name === name)?.id,
    nameOf: (id) => store.snapshot().instances.find((instance) => instance.id === id)?.name,
  });
  const recorder = startRecorder({
    database,
    clock,
    ids: () => store.snapshot().instances.map(({ id }) => id),
    factsOf: (id) => ({ health: healthOf(id), traffic: traffic.of(id), isOpen: supervisor.isOpen(id) ?? null }),
    onEvent,
    onTrouble,
  });
  const control = createForwarderControl({
    clock,
    onState: recorder.server,
    onTraffic: (batch) => {
      traffic.add(batch);
      recorder.traffic();
    },
    onCounters: traffic.setCounters,
    onTrouble,
  });
  const direct = inTurns(async () => {
    const wanted = { snapshot: store.snapshot(), healthOf, keys, certificates, own, onTrouble };
    try {
      control.want(await wantedOf(wanted));
    } catch (error) {
      onTrouble('The forwarding server cannot run.', error);
      control.fail(error instanceof CordonError ? error.message : 'Something went wrong inside Cordon.');
    }
  });
  const supervisor = superviseWith(options, recorder, direct.ask, () => control.state().listen?.port);
  const look = (): void => {
    supervisor.apply(store.snapshot().stored);
    onEvent();
    direct.ask();
  };
  const started = begin(options, look, stopping.signal);
  const off = store.onChange(() => stopping.signal.aborted || look());
  void every(clock, namesMs, stopping.signal, () => {
    own = machineNames();
    direct.ask();
  });
  const unlisten = certificates.onChange(direct.ask);
  const stop = async (): Promise<void> => {
    stopping.abort();
    off();
    unlisten();
    await started;
    await direct.stop();
    await Promise.all([control.stop(patienceMs.drain), supervisor.stop()]);
    traffic.stop();
    recorder.stop();
  };
  let stopped: Promise<void> | undefined;
  const runtime = runtimeOf({ database, supervisor, traffic, healthOf, server: () => control.state() });
  const instances = viewInstances({ store, runtime, certificates, clock, ownNames: () => own });
  return { instances, stop: () => (stopped ??= stop()) };
}

/** What an earlier console left behind goes first: it may still have the ports. */
async function begin({ database, onTrouble }: ConsoleOptions, look: () => void, signal: AbortSignal): Promise<void> {
  try {
    for (const text of await endOrphans(database)) onTrouble(text);
    if (signal.aborted) return;
    look();
  } catch (error) {
    onTrouble('Instances cannot be looked after.', error);
  }
}

function superviseWith(
  { ports, connections, database, onTrouble }: ConsoleOptions,
  recorder: Recorder,
  onState: () => void,
  ownPort: () => number | undefined,
): Supervisor {
  const { clock, profile, programEnvironment } = ports;
  return createSupervisor({
    clock,
    environment: programEnvironment ?? {},
    builtins: createBuiltins({ folder: join(profile, 'lists'), clock, fetchFileList: fileListsOf(connections) }),
    onHealth: (id, health) => {
      recorder.health(id, health);
      onState();
    },
    onProcess: (id, identity) => putProcess(database, id, identity),
    onTrouble,
    patienceMs: patienceMs.program,
    ownPort,
  });
}

interface RuntimeParts {
  readonly database: Database;
  readonly supervisor: Supervisor;
  readonly traffic: Traffic;
  readonly healthOf: (id: string) => InstanceHealth;
  readonly server: InstanceRuntime['server'];
}

function runtimeOf({ database, supervisor, traffic, healthOf, server }: RuntimeParts): InstanceRuntime {
  return {
    server,
    health: healthOf,
    history: (id) => historyOf(database, id),
    traffic: traffic.of,
    series: traffic.series,
    output: supervisor.output,
    listStatus: supervisor.listStatus,
    requests: traffic.requests,
    follow: traffic.follow,
    checkNow: supervisor.checkNow,
    publish: async (id) => {
      const status = await supervisor.publish(id);
      if (status !== null) return status;
      throw new CordonError('usage', 'This instance publishes no list at the moment.', { field: 'id' });
    },
    isOpen: supervisor.isOpen,
    listensOn: supervisor.listensOn,
  };
}

/** Between its being stored and the first look at it. */
function unknownHealth(now: number): InstanceHealth {
  return { state: 'starting', reason: null, since: new Date(now).toISOString(), checkedAt: null };
}
