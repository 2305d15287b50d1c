/** One instance: looked at, and, where Cordon runs it, started again and again until it is stopped. */
import type { InstanceDetail } from '#shared/contract/instances.ts';
import type { Instance, InstanceHealth } from '#shared/model/instance.ts';

import type { Clock } from '../ports.ts';
import type { ProcessIdentity } from '../store/process-identity.ts';
import type { Builtins, RunningBuiltin } from './builtins.ts';
import { lookAt, type HealthTarget } from './health-check.ts';
import { createHealth, type Health } from './health.ts';
import { isOpenToNetwork } from './listening.ts';
import { createOutput, type Output } from './output.ts';
import { startProgram, type Program } from './program.ts';

export interface UnitOptions {
  readonly clock: Clock;
  /** What a managed instance inherits. */
  readonly environment: Readonly<Record<string, string>>;
  readonly builtins: Builtins;
  /** Who holds a port, in words; `null`: nobody. */
  readonly holder: (port: number) => Promise<string | null>;
  readonly onHealth: (id: string, health: InstanceHealth) => void;
  /** A managed instance was started, or ended (`undefined`). */
  readonly onProcess: (id: string, identity: ProcessIdentity | undefined) => void;
  /** A line that a managed instance printed; must be quick. */
  readonly onOutput?: ((id: string, line: InstanceDetail['output'][number]) => void) | undefined;
  readonly onTrouble: (message: string, error?: unknown) => void;
  /** Milliseconds of real time between the request to end and the end by force. */
  readonly patienceMs: number;
}

export interface Unit {
  health(): InstanceHealth;
  readonly output: InstanceDetail['output'];
  /** Another text when it was looked at, printed something, or its list changed. */
  readonly news: string;
  readonly builtin: RunningBuiltin | undefined;
  /** Whether it listens on more than loopback; `undefined` where that cannot be told. */
  readonly isOpen: boolean | undefined;
  /** Whether it has its port, as far as Cordon is concerned. */
  readonly listening: boolean;
  readonly pid: number | undefined;
  /** What can change while it runs: name, health check, what a built-in one serves. */
  update(instance: Instance): void;
  checkNow(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** At once, for the end of this process. */
  kill(): void;
}

/** First pause before another start, and the longest. */
const pauseMs = { first: 1000, last: 60_000 };
/** So long healthy, and the next end counts as the first. */
const steadyMs = 60_000;
/** Between two looks: while it starts, and where only the port is looked at. */
const lookMs = { starting: 250, port: 10_000 };

/** A program that Cordon starts may take so long to listen. */
const graceMs = 30_000;

/** Every state but healthy says why it is so. */
const reasons = {
  disabled: 'It is switched off.',
  unseen: 'It has not been looked at yet.',
  begins: 'It is being started.',
  ended: 'It was stopped.',
} as const;

interface Parts extends UnitOptions {
  instance: Instance;
  readonly health: Health;
  readonly output: Output;
  readonly stopping: AbortSignal;
  program: Program | undefined;
  builtin: RunningBuiltin | undefined;
  isOpen: boolean | undefined;
}

/** `after`: the end of what it replaces. */
export function startUnit(instance: Instance, options: UnitOptions, after: Promise<void>): Unit {
  const { clock, onHealth } = options;
  const ended = new AbortController();
  const health = createHealth(clock, instance.program.kind === 'external' ? 0 : graceMs, (now) =>
    onHealth(instance.id, now),
  );
  const output = createOutput(clock.now, (line) => options.onOutput?.(instance.id, line));
  const parts: Parts = {
    ...options,
    instance,
    health,
    output,
    stopping: ended.signal,
    program: undefined,
    builtin: undefined,
    isOpen: undefined,
  };
  if (instance.enabled) health.set('starting', instance.program.kind === 'external' ? reasons.unseen : reasons.begins);
  else health.set('disabled', reasons.disabled);
  const done = after
    .then(() => run(parts))
    .catch((error: unknown) => {
      parts.program?.kill();
      health.set('stopped', 'Something went wrong inside Cordon.');
      options.onTrouble(`The instance ${parts.instance.name} cannot be looked after.`, error);
    });
  return {
    health: health.get,
    get output() {
      return output.lines();
    },
    get news() {
      return JSON.stringify([health.get().checkedAt, output.count(), parts.builtin?.listStatus()]);
    },
    get builtin() {
      return parts.builtin;
    },
    get isOpen() {
      return parts.isOpen;
    },
    get listening() {
      return parts.program !== undefined || parts.builtin !== undefined;
    },
    get pid() {
      return parts.program?.identity?.pid;
    },
    update: (next) => update(parts, next),
    checkNow: async (signal) => {
      if (parts.instance.enabled) await look(parts, signal);
    },
    stop: () => {
      ended.abort();
      return done;
    },
    kill: () => parts.program?.kill(),
  };
}

function update(parts: Parts, next: Instance): void {
  const before = parts.instance.program;
  parts.instance = next;
  if (next.program.kind === 'builtin' && !isSame(before, next.program)) parts.builtin?.reload(next.program.builtin);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function run(parts: Parts): Promise<void> {
  const { instance, stopping } = parts;
  if (!instance.enabled) return;
  if (instance.program.kind === 'external') return watch(parts, stopping);
  let pause = pauseMs.first;
  while (!stopping.aborted) {
    const { why, healthyMs } = await attempt(parts);
    if (stopping.aborted) break;
    if (healthyMs >= steadyMs) pause = pauseMs.first;
    parts.health.set('stopped', `${why} It is started again in ${pause / 1000} s.`);
    parts.output.add('stderr', `[${why} It is started again in ${pause / 1000} s.]`);
    await parts.clock.sleep(pause, stopping).catch(() => undefined);
    pause = Math.min(pause * 2, pauseMs.last);
  }
  parts.health.set('stopped', reasons.ended);
}

interface End {
  /** In a sentence. */
  readonly why: string;
  /** How long it had been healthy. */
  readonly healthyMs: number;
}

/** From its start to its end. */
async function attempt(parts: Parts): Promise<End> {
  const { instance, health } = parts;
  const holder = await parts.holder(instance.listenPort);
  if (holder !== null) return { why: `Port ${instance.listenPort} is held by ${holder}.`, healthyMs: 0 };
  if (parts.stopping.aborted) return { why: '', healthyMs: 0 };
  health.set('starting', reasons.begins);
  return instance.program.kind === 'managed' ? runProgram(parts) : runBuiltin(parts);
}

async function runProgram(parts: Parts): Promise<End> {
  const { instance, stopping, health, output, patienceMs } = parts;
  if (instance.program.kind !== 'managed') return { why: '', healthyMs: 0 };
  const { command, folder } = instance.program;
  const program = startProgram({ command, folder, environment: environmentOf(parts), output, patienceMs });
  parts.program = program;
  parts.onProcess(instance.id, program.identity);
  const stop = (): void => void program.stop();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const over = new AbortController();
  const watching = watch(parts, AbortSignal.any([stopping, over.signal]));
  const why = await program.ended;
  const healthyMs = health.healthyMs();
  stopping.removeEventListener('abort', stop);
  over.abort();
  await watching;
  parts.program = undefined;
  parts.onProcess(instance.id, undefined);
  return { why, healthyMs };
}

async function runBuiltin(parts: Parts): Promise<End> {
  const { instance, stopping, builtins, onTrouble, health } = parts;
  if (instance.program.kind !== 'builtin') return { why: '', healthyMs: 0 };
  const { id, name, listenPort } = instance;
  const definition = instance.program.builtin;
  try {
    parts.builtin = await builtins.start({
      definition,
      id,
      name,
      host: bindAddress(instance),
      port: listenPort,
      onTrouble,
    });
  } catch (error) {
    return { why: error instanceof Error ? error.message : 'It could not be started.', healthyMs: 0 };
  }
  const { program } = parts.instance;
  // It may have been changed while it started.
  if (program.kind === 'builtin' && !isSame(program.builtin, definition)) parts.builtin.reload(program.builtin);
  await watch(parts, stopping);
  await parts.builtin.stop();
  parts.builtin = undefined;
  return { why: '', healthyMs: health.healthyMs() };
}

/** Looks at it until the signal is aborted. */
async function watch(parts: Parts, signal: AbortSignal): Promise<void> {
  const { health, clock } = parts;
  while (!signal.aborted) {
    await look(parts, signal);
    if (signal.aborted) return;
    const { intervalS } = parts.instance.healthCheck;
    const steady = intervalS === 0 ? lookMs.port : intervalS * 1000;
    const pause = health.get().state === 'starting' ? Math.min(lookMs.starting, steady) : steady;
    await clock.sleep(pause, signal).catch(() => undefined);
  }
}

async function look(parts: Parts, signal: AbortSignal | undefined): Promise<void> {
  const { listenPort } = parts.instance;
  const [reason, isOpen] = await Promise.all([lookAt(targetOf(parts.instance), signal), isOpenToNetwork(listenPort)]);
  if (signal?.aborted === true) return;
  parts.isOpen = isOpen;
  parts.health.looked(reason, remarkOf(parts));
}

/** It serves its last list: that is healthy, but somebody has to decide. */
function remarkOf({ builtin }: Parts): string | null {
  const held = builtin?.listStatus()?.heldBack ?? null;
  if (held === null) return null;
  return `A list of ${held.entries} values is held back, as it would lose ${held.lost}: publish it if that is right.`;
}

function targetOf({ host, listenPort, healthCheck, certificate }: Instance): HealthTarget {
  return { host, port: listenPort, check: healthCheck, encrypted: certificate !== '' };
}

/** What it sets itself wins, but for the two that say where to listen. */
function environmentOf({ instance, environment }: Parts): Readonly<Record<string, string>> {
  const own = instance.program.kind === 'managed' ? instance.program.environment : {};
  return { ...environment, ...own, PORT: String(instance.listenPort), HOST: bindAddress(instance) };
}

/** The address to listen on. */
export function bindAddress({ host, openPort }: Pick<Instance, 'host' | 'openPort'>): string {
  if (!openPort) return host;
  return host === '::1' ? '::' : '0.0.0.0';
}
