import type { ComputerDetail } from '#shared/contract/contract.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { getComputer } from '../api/endpoints/computers.ts';
import { isCordon } from '../commands/outcome.ts';
import type { Inventory } from '../inventory/types.ts';
import { receiptOf, type Reading } from '../isolation/receipt.ts';
import { redact } from '../redact.ts';
import type { Implementer, RouterParts } from './parts.ts';

/** Intents and outcomes that are looked through for the newest isolation request. */
const entriesAbout = 200;

export function computerProcedures(os: Implementer, parts: RouterParts) {
  const { inventories, frame } = parts;
  const routes = os.computers;
  return {
    query: routes.query.handler(({ input: { connection, ...query } }) => inventories.open(connection).query(query)),
    guids: routes.guids.handler(({ input: { connection, ...query } }) => inventories.open(connection).guids(query)),
    position: routes.position.handler(({ input: { connection, ...query } }) =>
      inventories.open(connection).position(query),
    ),
    detail: routes.detail.handler(({ input }) => detailOf(parts, input.connection, input.guid)),
    refresh: routes.refresh.handler(async ({ input, signal }) => {
      await inventories.open(input.connection).refresh(signal);
      return frame(input.connection);
    }),
    refreshMissing: routes.refreshMissing.handler(async ({ input, signal }) => {
      await inventories.open(input.connection).refreshMissing(signal);
      return frame(input.connection);
    }),
    refreshOne: routes.refreshOne.handler(async ({ input, signal }) => {
      await readAgain(parts, input.connection, input.guid, signal);
      return detailOf(parts, input.connection, input.guid);
    }),
  };
}

async function readAgain(
  parts: RouterParts,
  connection: string,
  guid: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const inventory = parts.inventories.open(connection);
  const client = parts.connections.client(parts.connections.find(connection).id);
  try {
    const answer = await getComputer(client, { connector_guid: guid }, { signal });
    inventory.observe([answer.data], answer.at);
  } catch (error) {
    if (!isCordon(error, 'not_found')) throw error;
    inventory.vanished(guid, parts.ports.clock.now());
  }
}

function detailOf(parts: RouterParts, connection: string, guid: string): ComputerDetail | null {
  const inventory = parts.inventories.open(connection);
  const row = inventory.row(guid);
  if (row === undefined) return null;
  const { id } = parts.connections.find(connection);
  return {
    row,
    record: redact(inventory.record(guid) ?? {}),
    groupPath: inventory.groupPath(row.groupGuid),
    receipt: receiptOf(parts.profile.log.about(id, guid, entriesAbout), readingOf(row)),
    stateSince: stateSince(inventory, guid),
  };
}

function stateSince(inventory: Inventory, guid: string): string | null {
  return inventory.stateSince(guid) ?? null;
}

function readingOf(row: ComputerRow): Reading | undefined {
  if (row.isolation === 'unknown') return undefined;
  return { state: row.isolation === 'unavailable' ? 'not_isolated' : row.isolation, at: row.isolationReadAt };
}
