import { createAgents } from './agents.ts';
import { createAuditLog } from './audit-log.ts';
import { createDirectory } from './directory.ts';
import { createEventLog } from './event-log.ts';
import { createFileLists } from './file-list-store.ts';
import { createFleet } from './fleet.ts';
import { askConnector } from './isolation-machine.ts';
import { createMentioned } from './mentioned.ts';
import { generateTenant, type TenantSize } from './tenant/tenant.ts';
import type { World } from './world.ts';

export interface WorldOptions {
  readonly seed: string;
  readonly computers: number;
  readonly size?: TenantSize | undefined;
  readonly agentDelayMs: number;
  readonly start: number;
}

export function createWorld({ seed, computers, size, agentDelayMs, start }: WorldOptions): World {
  const tenant = generateTenant(seed, computers, size);
  const fleet = createFleet(tenant, start);
  const agents = createAgents(tenant.seedNumber, agentDelayMs, fleet.online);
  const world: World = {
    tenant,
    start,
    fleet,
    directory: createDirectory(tenant),
    agents,
    events: createEventLog(tenant, start),
    audit: createAuditLog(tenant, start),
    lists: createFileLists(tenant),
    mentioned: createMentioned(tenant),
    settle: agents.settle,
  };
  for (const host of tenant.hosts) {
    if (host.isolation?.status.startsWith('pending') === true) askConnector(world, host, start);
  }
  return world;
}
