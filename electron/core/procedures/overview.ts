import type { Overview } from '#shared/contract/sight.ts';

import { eventFactsOf } from '../overview/event-facts.ts';
import { overviewOf } from '../overview/overview.ts';
import type { Directory } from '../directory/types.ts';
import type { ListFacts } from '../overview/types.ts';
import type { Implementer, RouterParts } from './parts.ts';

export function overviewProcedure(os: Implementer, parts: RouterParts) {
  return os.overview.handler(({ input }) => readOverview(parts, input.connection));
}

/** From the local copies alone. */
export async function readOverview(
  parts: Pick<
    RouterParts,
    'connections' | 'ports' | 'inventories' | 'profile' | 'instances' | 'eventStores' | 'directories'
  >,
  connection: string,
): Promise<Overview> {
  const found = parts.connections.find(connection);
  return overviewOf({
    connection: found,
    now: parts.ports.clock.now(),
    inventory: parts.inventories.open(found.id),
    log: parts.profile.log,
    link: parts.connections.client(found.id).link(),
    instances: await parts.instances.list(),
    events: eventFactsOf(parts.eventStores.open(found.id)),
    leases: parts.profile.custody.leases.list(found.id),
    lists: listFactsOf(parts.directories.open(found.id)),
  });
}

/** Lists that hold something and that no computer enforces, as far as the policies' details are known. */
function listFactsOf(directory: Pick<Directory, 'fileLists'>): ListFacts {
  const { lists } = directory.fileLists();
  return {
    uncovered: lists.filter((list) => list.covered === 0 && (list.items ?? 0) > 0 && list.vanishedAt === null),
  };
}
