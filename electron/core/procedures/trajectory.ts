import { isCordon } from '../commands/outcome.ts';
import type { Implementer, RouterParts } from './parts.ts';

export function trajectoryProcedures(os: Implementer, { trajectories, inventories, ports }: RouterParts) {
  const routes = os.trajectory;
  return {
    stored: routes.stored.handler(({ input }) => trajectories.stored(input)),
    read: routes.read.handler(async ({ input, signal }) => {
      const inventory = inventories.open(input.connection);
      try {
        const { trajectory, computer, at } = await trajectories.read(input, signal);
        inventory.observe([computer], at);
        return trajectory;
      } catch (error) {
        if (isCordon(error, 'not_found')) inventory.vanished(input.guid, ports.clock.now());
        throw error;
      }
    }),
    record: routes.record.handler(({ input }) => trajectories.record(input)),
  };
}
