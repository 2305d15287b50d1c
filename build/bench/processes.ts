/** The built program as real processes: the sandbox service, the headless host, the command line. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..');
const cliScript = join(root, 'dist', 'node', 'cli.js');
const headlessScript = join(root, 'dist', 'node', 'headless.js');

export interface Running {
  readonly pid: number;
  readonly ready: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a script of `dist/node/` and waits for its one JSON line. */
function start(script: string, args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve({ pid: child.pid ?? 0, ready: JSON.parse(line) as Record<string, string>, stop: () => stop(child) });
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

export function startSandbox(computers: number, extra: readonly string[] = []): Promise<Running> {
  return start(cliScript, [
    'sandbox',
    '--port',
    '0',
    '--computers',
    String(computers),
    '--seed',
    'bench',
    '--json',
    ...extra,
  ]);
}

export function startHeadless(profile: string): Promise<Running> {
  return start(headlessScript, [
    '--headless',
    '--no-open',
    '--no-sandbox',
    '--json',
    '--port',
    '0',
    '--profile',
    profile,
  ]);
}

export function cli(
  profile: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string; readonly ms: number } {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliScript, '--profile', profile, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { status, stdout, stderr, ms: performance.now() - began };
}

/** A profile with one writable connection to the given sandbox. */
export function profileFor(sandbox: Running): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'cordon-bench-'));
  const keyFile = join(folder, 'api-key');
  writeFileSync(keyFile, sandbox.ready['api_key'] ?? '', { mode: 0o600 });
  const added = cli(join(folder, 'profile'), [
    'connections',
    'add',
    'Bench',
    '--server',
    sandbox.ready['url'] ?? '',
    '--client-id',
    sandbox.ready['client_id'] ?? '',
    '--api-key-file',
    keyFile,
    '--environment',
    'test',
    '--writable',
  ]);
  if (added.status !== 0) {
    process.kill(sandbox.pid);
    throw new Error(`connections add ended with ${added.status}: ${added.stderr}`);
  }
  return { folder: join(folder, 'profile'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
