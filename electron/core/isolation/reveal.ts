/** The one audited way to see an unlock code. */
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { Surface } from '#shared/model/incident.ts';

import { getIsolation } from '../api/endpoints/isolation.ts';
import type { ApiClient } from '../api/types.ts';
import type { IncidentLog } from '../incidents/types.ts';

export interface RevealRequest {
  readonly connection: Connection;
  readonly guid: string;
  /** How the operator knows the computer. */
  readonly label: string;
  readonly reason: string;
  readonly surface: Surface;
  readonly incident: string | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes down who wants the code and why, then reads it. `null` when the computer has none or is not isolated:
 * the service keeps showing the code of an isolation that is over. Rejects with `log_unavailable` before anything is read.
 */
export async function revealUnlockCode(
  services: { readonly client: ApiClient; readonly log: Pick<IncidentLog, 'append'> },
  request: RevealRequest,
): Promise<{ readonly code: string | null; readonly entry: string }> {
  const reason = request.reason.trim();
  if (reason === '') throw new CordonError('usage', 'Revealing an unlock code needs a reason.', { field: 'reason' });
  const { id, name, url } = request.connection;
  const entry = services.log.append({
    kind: 'secret.revealed',
    surface: request.surface,
    incident: request.incident,
    command: 'svc_get_computers_isolation',
    args: { connector_guid: request.guid },
    target: { guid: request.guid, label: request.label },
    connection: { id, name, url },
    message: `Unlock code of ${request.label} revealed: ${reason}`,
    data: { reason },
  });
  const { data } = await getIsolation(
    services.client,
    { connector_guid: request.guid },
    { signal: request.signal, purpose: 'release' },
  );
  const code = data.status === 'not_isolated' ? null : (data.unlock_code ?? null);
  return { code: code === '' ? null : code, entry: entry.id };
}
