import { preflight } from '../isolation/preflight.ts';
import { revealUnlockCode } from '../isolation/reveal.ts';
import { labelFrom } from '../commands/target.ts';
import type { Implementer, RouterParts } from './parts.ts';

export function isolationProcedures(os: Implementer, parts: RouterParts) {
  const { connections, inventories, ports, profile } = parts;
  return {
    preflight: os.isolation.preflight.handler(({ input, signal }) => {
      const { id } = connections.find(input.connection);
      const services = { client: connections.client(id), inventory: inventories.open(id), clock: ports.clock };
      return preflight(services, { guid: input.guid, action: input.action, signal });
    }),
    reveal: os.isolation.reveal.handler(async ({ input, signal }) => {
      const connection = connections.find(input.connection);
      const { code } = await revealUnlockCode(
        { client: connections.client(connection.id), log: profile.log },
        {
          connection,
          guid: input.guid,
          label: labelFrom(inventories.open(connection.id))(input.guid),
          reason: input.reason,
          surface: 'screen',
          incident: profile.settings.get().activeIncident,
          signal,
        },
      );
      return { code };
    }),
  };
}
