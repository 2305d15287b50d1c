/** Large jobs against a service that takes 100 ms for each answer: calls made, and the time beside what cannot be undercut. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openRealProcess } from '#core/jobs/testing/real-process.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import type { JobAction } from '#shared/model/job.ts';

const latencyMs = 100;
const atOnce = 4;
const computers = 1000;
const hashes = 10_000;

interface Measured {
  readonly title: string;
  readonly targets: number;
  readonly done: number;
  readonly planSeconds: number;
  readonly planCalls: number;
  readonly seconds: number;
  readonly changes: number;
  readonly readings: number;
}

export async function benchJobs(): Promise<string> {
  const rows = [
    '| job | done | plan | calls of the plan | changes | readings | time | at least | ratio |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  for (const measure of [measureIsolations, measureHashes]) {
    const one = await measure();
    if (one.done !== one.targets) throw new Error(`${one.title}: ${one.done} of ${one.targets} are done.`);
    rows.push(rowOf(one));
  }
  return rows.join('\n');
}

/** Every change takes the latency once, four are under way at once. */
function rowOf({ title, targets, done, planSeconds, planCalls, seconds, changes, readings }: Measured): string {
  const least = (targets * latencyMs) / atOnce / 1000;
  const cells = [
    title,
    done,
    `${planSeconds.toFixed(1)} s`,
    planCalls,
    changes,
    readings,
    `${seconds.toFixed(1)} s`,
    `${least.toFixed(1)} s`,
    (seconds / least).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function measureIsolations(): Promise<Measured> {
  return await onSandbox(async (sandbox, folder) => {
    const { fleet, tenant } = sandbox.world;
    const targets = tenant.hosts
      .filter((host) => host.role === 'workstation' && fleet.available(host) && fleet.online(host))
      .filter((host) => fleet.isolation(host).status === 'not_isolated')
      .slice(0, computers)
      .map(({ guid }) => guid);
    const action = {
      kind: 'isolate',
      reason: 'drill',
      ticket: null,
      code: 'generated',
      lease: { hours: 24, auto: false },
    } as const;
    return await measured(`isolate ${computers.toLocaleString('en-US')} computers`, {
      sandbox,
      folder,
      action,
      targets,
    });
  });
}

async function measureHashes(): Promise<Measured> {
  return await onSandbox(async (sandbox, folder) => {
    const list = sandbox.world.tenant.lists.at(-1)?.guid ?? '';
    const targets = Array.from({ length: hashes }, (_none, index) =>
      createHash('sha256').update(`bench ${index}`).digest('hex'),
    );
    const action = { kind: 'add_hashes', list, reason: 'drill' } as const;
    return await measured(`put ${hashes.toLocaleString('en-US')} hashes on a list`, {
      sandbox,
      folder,
      action,
      targets,
    });
  });
}

async function onSandbox(work: (sandbox: Sandbox, folder: string) => Promise<Measured>): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'cordon-bench-jobs-'));
  const sandbox = await startSandbox({ port: 0, computers: 5000, seed: 'jobs', budget: 1_000_000 });
  sandbox.weather.set([`* *=latency:${latencyMs}`]);
  try {
    return await work(sandbox, folder);
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly action: JobAction;
  readonly targets: readonly string[];
}

async function measured(title: string, { sandbox, folder, action, targets }: Work): Promise<Measured> {
  const { jobs, stop } = await openRealProcess(folder, sandbox);
  const counter = countCalls(sandbox);
  try {
    const from = performance.now();
    const plan = await jobs.plan({ connection: 'sandbox', action, targets });
    const planned = performance.now();
    const planCalls = counter.take().readings;
    const { confirmation, id } = plan;
    const confirm = 'expected' in confirmation ? String(confirmation.expected) : undefined;
    await jobs.apply({ plan: id, confirm, surface: 'cli' });
    const { counts } = await jobs.settled(id);
    const seconds = (performance.now() - planned) / 1000;
    const { changes, readings } = counter.take();
    return {
      title,
      targets: targets.length,
      done: counts.done,
      planSeconds: (planned - from) / 1000,
      planCalls,
      seconds,
      changes,
      readings,
    };
  } finally {
    counter.stop();
    await stop();
  }
}

/** The service keeps its newest 10,000 requests only. */
function countCalls({ requests, clearRequests }: Sandbox) {
  let [changes, readings] = [0, 0];
  const collect = (): void => {
    const written = requests.filter(({ method }) => method === 'PUT' || method === 'POST' || method === 'DELETE');
    changes += written.length;
    readings += requests.length - written.length;
    clearRequests();
  };
  const timer = setInterval(collect, 1000);
  return {
    take() {
      collect();
      const taken = { changes, readings };
      [changes, readings] = [0, 0];
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
