/** Instances of the process that owns the console: it runs them and the forwarding server, and tells what happens. */
import { join } from 'node:path';

import { CordonError } from '#shared/contract/errors.ts';
import type { ListStatus } from '#shared/contract/instances.ts';
import type { Instance, InstanceHealth } from '#shared/model/instance.ts';

import type { Connections } from '../connections/types.ts';
import { every } from '../every.ts';
import { machineNames } from '../forwarder/tls/names.ts';
import type { Ports } from '../ports.ts';
import type { Database } from '../store/database.ts';
import type { ProcessIdentity } from '../store/process-identity.ts';
import { createBuiltins } from './builtins.ts';
import { fileListsOf } from './file-lists.ts';
import { createForwarderControl, type ForwarderControl } from './forwarder-control.ts';
import { wantedOf } from './forwarder-wanted.ts';
import { viewInstances } from './instances.ts';
import type { OpenedInstances } from './open.ts';
import type { OwnNames } from './origins.ts';
import { endOrphans } from './orphans.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';
import { historyOf, putProcess, takePublishing } from './state-rows.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { inTurns } from './turns.ts';
import type { InstanceRuntime, Instances, InstanceStore } from './types.ts';

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
  return new InstanceConsole(options);
}

class InstanceConsole implements RunningInstances {
  readonly instances: Instances;
  readonly #options: ConsoleOptions;
  readonly #store: InstanceStore;
  readonly #keys: SigningKeys;
  readonly #traffic: Traffic;
  readonly #recorder: Recorder;
  readonly #control: ForwarderControl;
  readonly #supervisor: Supervisor;
  /** Decides again what the forwarding server is to do. */
  readonly #direct = inTurns(() => this.#directForwarder());
  /** Why nobody can use an instance through the route. */
  readonly #problems = new Map<string, string>();
  readonly #ended = new AbortController();
  readonly #closing: (() => void)[];
  readonly #begun: Promise<void>;
  #own: OwnNames = machineNames();
  #stopped: Promise<void> | undefined;

  constructor(options: ConsoleOptions) {
    const { opened, ports } = options;
    this.#options = options;
    this.#store = opened.store;
    this.#keys = openSigningKeys(ports.secrets);
    this.#traffic = this.#makeTraffic();
    this.#recorder = this.#makeRecorder();
    this.#control = this.#makeControl();
    this.#supervisor = this.#makeSupervisor();
    this.instances = viewInstances({
      store: this.#store,
      runtime: this.#runtime(),
      certificates: opened.certificates,
      clock: ports.clock,
      ownNames: () => this.#own,
    });
    this.#begun = this.#begin();
    this.#closing = [this.#store.onChange(() => this.#look()), opened.certificates.onChange(this.#direct.ask)];
    void every(ports.clock, namesMs, this.#ended.signal, () => {
      this.#own = machineNames();
      this.#direct.ask();
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#ended.abort();
    for (const close of this.#closing) close();
    await this.#begun;
    await this.#direct.stop();
    await Promise.all([this.#control.stop(patienceMs.drain), this.#supervisor.stop()]);
    this.#traffic.stop();
    this.#recorder.stop();
  }

  /** What an earlier console left behind goes first: it may still have the ports. */
  async #begin(): Promise<void> {
    const { database, onTrouble } = this.#options;
    try {
      for (const text of await endOrphans(database)) onTrouble(text);
    } catch (error) {
      onTrouble('Programs that an earlier console left behind could not be looked after.', error);
    }
    this.#look();
  }

  /** Something that is stored may have changed. */
  #look(): void {
    const { onEvent, onTrouble } = this.#options;
    if (this.#ended.signal.aborted) return;
    try {
      const { stored } = this.#store.snapshot();
      this.#supervisor.apply(stored);
      this.#traffic.keepOnly(new Set(stored.map(({ instance }) => instance.id)));
      for (const id of takePublishing(this.#options.database)) void this.#publishAsked(id);
    } catch (error) {
      onTrouble('Instances cannot be looked after.', error);
    }
    onEvent();
    this.#direct.ask();
  }

  /** Another process asked for it. */
  async #publishAsked(id: string): Promise<void> {
    try {
      await this.#supervisor.publish(id);
    } catch (error) {
      this.#options.onTrouble('A list could not be published.', error);
    }
    this.#options.onEvent();
  }

  async #directForwarder(): Promise<void> {
    const { opened, onTrouble } = this.#options;
    try {
      const wanted = await wantedOf({
        snapshot: this.#store.snapshot(),
        healthOf: (id) => this.#healthOf(id),
        keys: this.#keys,
        certificates: opened.certificates,
        own: this.#own,
        onProblem: (id, problem) => this.#setProblem(id, problem),
      });
      this.#control.want(wanted);
    } catch (error) {
      onTrouble('The forwarding server cannot run.', error);
      this.#control.fail(error instanceof CordonError ? error.message : 'Something went wrong inside Cordon.');
    }
  }

  #setProblem(id: string, problem: string | null): void {
    if ((this.#problems.get(id) ?? null) === problem) return;
    if (problem === null) this.#problems.delete(id);
    else {
      this.#problems.set(id, problem);
      this.#options.onTrouble(problem);
    }
    this.#options.onEvent();
  }

  #healthOf(id: string): InstanceHealth {
    const { clock } = this.#options.ports;
    return this.#supervisor.health(id) ?? unknownHealth(clock.now());
  }

  // ---- the parts ----

  #makeTraffic(): Traffic {
    const find = (wanted: (instance: Instance) => boolean): Instance | undefined =>
      this.#store.snapshot().instances.find(wanted);
    return createTraffic({
      clock: this.#options.ports.clock,
      idOf: (name) => find((instance) => instance.name === name)?.id,
      nameOf: (id) => find((instance) => instance.id === id)?.name,
    });
  }

  #makeRecorder(): Recorder {
    const { database, ports, onEvent, onTrouble } = this.#options;
    return startRecorder({
      database,
      clock: ports.clock,
      ids: () => this.#store.snapshot().instances.map(({ id }) => id),
      serverOf: () => this.#control.state(),
      newsOf: () => this.#supervisor.news(),
      factsOf: (id) => ({
        health: this.#healthOf(id),
        traffic: this.#traffic.of(id),
        isOpen: this.#supervisor.isOpen(id) ?? null,
        openPort: this.#supervisor.openPort(id) ?? null,
        list: this.#supervisor.listStatus(id),
      }),
      onEvent,
      onTrouble,
    });
  }

  #makeControl(): ForwarderControl {
    return createForwarderControl({
      clock: this.#options.ports.clock,
      onState: this.#recorder.server,
      onTraffic: (batch) => {
        this.#recorder.traffic(this.#traffic.add(batch));
      },
      onCounters: (counters) => {
        if (this.#traffic.setCounters(counters)) this.#recorder.traffic();
      },
      onTrouble: this.#options.onTrouble,
    });
  }

  #makeSupervisor(): Supervisor {
    const { ports, connections, onTrouble } = this.#options;
    const { clock, profile, programEnvironment } = ports;
    return createSupervisor({
      clock,
      environment: programEnvironment ?? {},
      builtins: createBuiltins({ folder: join(profile, 'lists'), clock, fetchFileList: fileListsOf(connections) }),
      onHealth: (id, health) => {
        this.#recorder.health(id, health);
        this.#direct.ask();
      },
      onProcess: (id, identity) => this.#recordProcess(id, identity),
      onOutput: this.#recorder.output,
      onTrouble,
      patienceMs: patienceMs.program,
      ownPort: () => this.#control.state().listen?.port,
    });
  }

  #recordProcess(id: string, identity: ProcessIdentity | undefined): void {
    try {
      putProcess(this.#options.database, id, identity);
    } catch (error) {
      this.#options.onTrouble('A program that runs could not be written down.', error);
    }
  }

  #runtime(): InstanceRuntime {
    const [supervisor, traffic] = [this.#supervisor, this.#traffic];
    return {
      server: () => this.#control.state(),
      health: (id) => this.#healthOf(id),
      history: (id) => historyOf(this.#options.database, id),
      traffic: traffic.of,
      series: traffic.series,
      output: supervisor.output,
      listStatus: supervisor.listStatus,
      requests: traffic.requests,
      follow: traffic.follow,
      checkNow: supervisor.checkNow,
      publish: (id) => publish(supervisor, id),
      problem: (id) => this.#problems.get(id) ?? null,
      isOpen: ({ id }) => supervisor.isOpen(id),
      listensOn: supervisor.listensOn,
    };
  }
}

async function publish(supervisor: Supervisor, id: string): Promise<ListStatus> {
  const status = await supervisor.publish(id);
  if (status !== null) return status;
  throw new CordonError('usage', 'This instance publishes no list at the moment.', { field: 'id' });
}

/** Between its being stored and the first look at it. */
function unknownHealth(now: number): InstanceHealth {
  return {
    state: 'starting',
    reason: 'It was stored a moment ago.',
    since: new Date(now).toISOString(),
    checkedAt: null,
  };
}
