/**
 * A process that carries out one isolation of many computers, or goes on with the one that an earlier process left:
 * profile and service from its arguments, the API key and the targets from stdin, one a line.
 */
import { text } from 'node:stream/consumers';

import { createApiClient } from '../../api/client.ts';
import { createRunner } from '../../commands/runner.ts';
import { budgetPlanner, judgeForJobs } from '../../guards/for-jobs.ts';
import { openConnectionInventory } from '../../inventories.ts';
import { openProfile } from '../../profile.ts';
import { systemClock, systemRandom } from '../../system.ts';
import { memorySecrets } from '../../testing/ports.ts';
import { openJobs } from '../jobs.ts';

const [folder = '', url = '', clientId = ''] = process.argv.slice(2);
const [apiKey = '', ...targets] = (await text(process.stdin)).trim().split('\n');
const ports = {
  host: 'cli',
  profile: folder,
  operator: 'kim',
  secrets: memorySecrets(),
  clock: systemClock,
  random: systemRandom,
  proxyEnvironment: {},
  notify: () => undefined,
  openExternal: async () => undefined,
} as const;
const profile = openProfile(ports, { createClient: createApiClient, userAgent: 'Cordon/test' });
const { connections, log, locks, guards, custody, database } = profile;
await connections.registerSandbox({ url, clientId, apiKey });
const client = connections.client('sandbox');
const inventory = openConnectionInventory({ profile: folder, clock: systemClock, connection: 'sandbox', client });
const jobs = openJobs({
  profile: folder,
  clock: systemClock,
  random: systemRandom,
  operator: 'kim',
  connections,
  log,
  runner: createRunner({ clock: systemClock, connections, log, locks, guards, custody, inventory: () => inventory }),
  inventory: () => inventory,
  judge: judgeForJobs(guards, () => inventory),
  planner: budgetPlanner({ database, clock: systemClock, connections }),
  leases: custody.leases,
  onTrouble: (message, error) => void process.stderr.write(`${message} ${String(error)}\n`),
});
if (jobs.list().length === 0) {
  const action = {
    kind: 'isolate',
    reason: 'drill',
    ticket: null,
    code: 'generated',
    lease: { hours: 24, auto: false },
  } as const;
  const { id, confirmation } = await jobs.plan({ connection: 'sandbox', action, targets });
  await jobs.apply({
    plan: id,
    confirm: 'expected' in confirmation ? String(confirmation.expected) : undefined,
    surface: 'cli',
  });
} else {
  await jobs.recover();
}
const [job] = jobs.list();
const end = await jobs.settled(job?.id ?? '');
const receipts = jobs.receipts({ job: end.id, offset: 0, limit: 100_000 }).rows;
process.stdout.write(JSON.stringify({ phase: end.phase, because: end.because, counts: end.counts, receipts }));
await jobs.close();
await inventory.stop();
await profile.stop();
