import { single } from './answer.ts';
import { auditRoutes } from './audit-log.ts';
import { computerRoutes } from './computers.ts';
import { eventRoutes } from './events.ts';
import { eventStreamRoutes, type StreamBroker } from './event-streams.ts';
import { fileListRoutes } from './file-lists.ts';
import { groupRoutes } from './groups.ts';
import { isolationRoutes } from './isolation.ts';
import { policyRoutes } from './policies.ts';
import type { Route } from './router.ts';
import { trajectoryRoutes } from './trajectory.ts';
import { vulnerabilityRoutes } from './vulnerabilities.ts';
import type { World } from './world.ts';

/** Every endpoint of API v1 that this server has. Fixed paths stand before those with a GUID in the same place. */
export function routesOf(world: World, broker?: StreamBroker): readonly Route[] {
  return [
    { method: 'GET', path: '/v1/version', handle: (call) => single(call.self, {}) },
    ...trajectoryRoutes(world),
    ...vulnerabilityRoutes(world),
    ...computerRoutes(world),
    ...isolationRoutes(world),
    ...eventRoutes(world),
    ...eventStreamRoutes(world, broker),
    ...fileListRoutes(world),
    ...groupRoutes(world),
    ...policyRoutes(world),
    ...auditRoutes(world),
  ];
}
