import type { Overview } from '#shared/contract/sight.ts';

import { eventFactsOf } from '../overview/event-facts.ts';
import { overviewOf } from '../overview/overview.ts';
import { noLists } from '../overview/types.ts';
import type { Implementer, RouterParts } from './parts.ts';

export function overviewProcedure(os: Implementer, parts: RouterParts) {
  return os.overview.handler(({ input }) => read(parts, input.connection));
}

async function read(parts: RouterParts, connection: string): Promise<Overview> {
  const found = parts.connections.find(connection);
  return overviewOf({
    connection: found,
    now: parts.ports.clock.now(),
    inventory: parts.inventories.open(found.id),
    log: parts.profile.log,
    link: parts.connections.client(found.id).link(),
    instances: await parts.instances.list(),
    events: eventFactsOf(parts.eventStores.open(found.id)),
    // Until there is a screen to send the operator to; reading the lists would cost calls besides.
    lists: noLists,
  });
}
