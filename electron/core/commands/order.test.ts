/** What the operating system sees: the intent is on the disk before the request is on the wire, the outcome after it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '#sandbox/server.ts';

let folder: string;
let sandbox: Sandbox;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cordon-order-'));
  sandbox = await startSandbox({ port: 0, computers: 50, seed: 'order' });
});
afterEach(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

/** Not every machine has it, and not every container lets it look. */
const canTrace = process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

test.skipIf(!canTrace)('intent, sync, request, outcome, sync', async () => {
  const trace = join(folder, 'trace.txt');
  const { fleet, tenant } = sandbox.world;
  const guid = tenant.hosts.find((host) => fleet.available(host) && fleet.online(host))?.guid ?? '';
  const calls = 'trace=pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync';
  const script = fileURLToPath(new URL('testing/one-change.ts', import.meta.url));
  const child = spawn(
    'strace',
    [
      '-f',
      '-y',
      '-s',
      '32',
      '-e',
      calls,
      '-o',
      trace,
      process.execPath,
      script,
      folder,
      sandbox.url,
      sandbox.clientId,
      guid,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  child.stdin.end(sandbox.apiKey);
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(stepsOf(readFileSync(trace, 'utf8'))).toEqual([
    'log written',
    'log synced',
    'sent',
    'log written',
    'log synced',
  ]);
});

/** The calls that matter, each run of equal ones told once; the file is made before the first intent. */
function stepsOf(trace: string): readonly string[] {
  const steps = trace.split('\n').flatMap((line) => stepOf(line) ?? []);
  const sent = steps.indexOf('sent');
  const lastWrite = steps.slice(0, sent).lastIndexOf('log written');
  return steps.slice(lastWrite).filter((step, index, all) => step !== all[index - 1]);
}

function stepOf(line: string): string | undefined {
  if (/ (?:write|writev|sendto|sendmsg)\(.*"PUT \/v1/.test(line)) return 'sent';
  if (!line.includes('incidents.db-wal')) return undefined;
  if (/ pwrite64\(/.test(line)) return 'log written';
  return / (?:fsync|fdatasync)\(/.test(line) ? 'log synced' : undefined;
}
