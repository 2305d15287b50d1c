import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

import { run, type Ran, type RunOptions } from './testing/run.ts';

let sandbox: Sandbox;
let folder: string;
/** Each test takes other computers. */
let used = 0;
let workstations: readonly string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, computers: 300, agentDelayMs: 0, seed: 'cli-jobs' });
  const { fleet, tenant } = sandbox.world;
  workstations = tenant.hosts
    .filter((host) => host.role === 'workstation' && fleet.available(host) && fleet.online(host))
    .filter((host) => fleet.isolation(host).status === 'not_isolated')
    .map(({ guid }) => guid);
  folder = mkdtempSync(join(tmpdir(), 'cordon-cli-jobs-'));
  const key = file('key', sandbox.apiKey);
  const service = ['--server', sandbox.url, '--client-id', sandbox.clientId, '--api-key-file', key];
  const { code, err } = await cordon(['connections', 'add', 'lab', ...service, '--writable']);
  if (code !== 0) throw new Error(err);
}, 60_000);
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  sandbox.weather.clear();
  sandbox.clearRequests();
});

function cordon(argv: readonly string[], options?: RunOptions): Promise<Ran> {
  return run(['--profile', join(folder, 'profile'), ...argv], options);
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function ready(count: number): readonly string[] {
  used += count;
  return workstations.slice(used - count, used);
}

function changes(): number {
  return sandbox.requests.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS').length;
}

const because = ['--reason', 'beaconing'];

test('a dry run shows the plan and sends nothing', async () => {
  const targets = file('dry', ready(2).join('\n'));
  const { code, out } = await cordon(['job', 'isolate', '--targets', targets, ...because, '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('2 targets, in waves of 1, 1');
  expect(out).toContain('isolation: not_isolated');
  expect(changes()).toBe(0);
});

test('isolates what is in the file, and prints a receipt for each target', async () => {
  const guids = ready(3);
  const targets = file('go', `guid,name\n${guids.map((guid) => `${guid},x`).join('\n')}\n`);
  const { code, out } = await cordon(['job', 'isolate', '--targets', targets, ...because, '--lease', 'none', '--json']);
  expect(code).toBe(0);
  const answer = JSON.parse(out);
  expect(answer).toMatchObject({ ok: true, command: 'job isolate', data: { job: { counts: { done: 3 } } } });
  expect(answer.data.receipts.map(({ observed }: { observed: string }) => observed)).toEqual(Array(3).fill('isolated'));
  expect(changes()).toBe(3);
  const { id } = answer.data.job;
  expect((await cordon(['job', 'list'])).out).toContain(id);
  expect((await cordon(['job', 'show', id])).out).toContain('Reason: beaconing');
  expect((await cordon(['job', 'export', id])).out.split('\r\n')).toHaveLength(5);
});

test('without the confirmation that the tier asks for: exit code 2, and nothing is sent', async () => {
  const targets = file('many', ready(6).join('\n'));
  const { code, err } = await cordon(['job', 'isolate', '--targets', targets, ...because]);
  expect(code).toBe(2);
  expect(err).toContain('--confirm "6"');
  expect(changes()).toBe(0);
  expect((await cordon(['job', 'isolate', '--targets', targets, ...because, '--confirm', '6'])).code).toBe(0);
  expect(changes()).toBe(6);
});

test('a plan is written for its owner alone, and refused with exit code 5 when its targets have drifted', async () => {
  const [guid = ''] = ready(1);
  const plan = join(folder, 'plan.json');
  await cordon(['job', 'isolate', '--targets', '-', ...because, '--plan', plan], { stdin: guid });
  expect(statSync(plan).mode & 0o777).toBe(0o600);
  const { fleet } = sandbox.world;
  const host = fleet.find(guid);
  if (host !== undefined) fleet.change(host, { available: false });
  const drifted = await cordon(['job', 'isolate', '--apply', plan, '--json']);
  expect(drifted.code).toBe(5);
  expect(JSON.parse(drifted.out).error).toMatchObject({ code: 'plan_drifted', drift: [{ id: guid }] });
  expect(changes()).toBe(0);
  if (host !== undefined) fleet.change(host, { available: true });
  expect((await cordon(['job', 'release', '--apply', plan])).code).toBe(2);
  expect((await cordon(['job', 'isolate', '--apply', plan])).code).toBe(0);
  expect((await cordon(['job', 'isolate', '--apply', plan])).code).toBe(2);
  expect(changes()).toBe(1);
});

test('a plan that was tampered with is refused with the name of the field', async () => {
  const [guid = '', other = ''] = ready(2);
  const plan = join(folder, 'tampered.json');
  await cordon(['job', 'isolate', '--targets', '-', ...because, '--plan', plan], { stdin: guid });
  writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll(guid, other));
  const { code, err } = await cordon(['job', 'isolate', '--apply', plan]);
  expect([code, err]).toEqual([2, expect.stringContaining('digest does not belong to this plan')]);
  expect(changes()).toBe(0);
});

test('an outcome that nobody knows ends with exit code 9, and the retry reads first', async () => {
  const guids = ready(1);
  sandbox.weather.set([
    'PUT *=reset',
    'GET */isolation=status:403',
    `GET /v1/computers/${guids[0] ?? ''}*=status:403,after:2`,
  ]);
  // The tests before have used up what may be isolated in a day without a typed name.
  const name = sandbox.world.tenant.hosts.find(({ guid }) => guid === guids[0])?.hostname ?? '';
  const args = ['job', 'isolate', '--targets', '-', ...because, '--json', '--confirm', name];
  const ended = cordon(args, { stdin: guids.join('\n') });
  // Watching goes on for a minute; another process may end that.
  const job = await Promise.race([watching(), ended.then(({ err }) => Promise.reject(new Error(err)))]);
  await cordon(['job', 'stop', job]);
  const { code, out } = await ended;
  expect([code, JSON.parse(out).data.receipts]).toEqual([9, [expect.objectContaining({ outcome: 'unknown' })]]);
  sandbox.weather.clear();
  expect((await cordon(['job', 'retry', job, '--confirm', name])).code).toBe(0);
}, 30_000);

async function watching(): Promise<string> {
  for (;;) {
    const { out } = await cordon(['job', 'list', '--json']);
    const jobs: readonly { readonly id: string; readonly phase: string }[] = JSON.parse(out).data;
    const found = jobs.find(({ phase }) => phase === 'observing');
    if (found !== undefined) return found.id;
    await setTimeout(50);
  }
}

test.each([
  [['job', 'isolate', '--targets', 'none.txt', ...because], 'cannot be read'],
  [['job', 'isolate', ...because], 'needs --targets'],
  [['job', 'isolate', '--targets', '-'], '--reason'],
  [['job', 'move', '--targets', '-', ...because], '--group'],
  [['job', 'show', 'nothing'], 'no such job'],
])('%j is refused with a word about it', async (argv, word) => {
  const { code, err } = await cordon(argv, { stdin: ready(0).join('') || 'x' });
  expect(code).toBeGreaterThan(1);
  expect(err).toContain(word);
});
