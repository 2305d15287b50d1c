/** Connections out of this profile with their keys, and into it. */
import { CordonError, reportError } from '#shared/contract/errors.ts';
import { ownEnvironmentOf, type Connection } from '#shared/model/connection.ts';
import type { ImportedConnection } from '#shared/model/connections-file.ts';

import { add } from './edit.ts';
import type { Parts } from './parts.ts';
import { listStored } from './rows.ts';
import { checkPassphrase, openSealed, sealConnections, type SealedConnection } from './sealed-file.ts';

/**
 * All stored connections with their keys, sealed. Says so in the log before a key is read; rejects with
 * `log_unavailable`, or with `secret_unavailable` when one key cannot be read, and then there is no file.
 */
export async function exportSealed(parts: Parts, passphrase: string, reason: string): Promise<string> {
  parts.managed.connections.admitExport();
  checkPassphrase(passphrase);
  if (reason.trim() === '')
    throw new CordonError('usage', 'Say why the keys leave: the log keeps the reason.', { field: 'reason' });
  const own = stored(parts).filter(({ sandbox }) => !sandbox);
  if (own.length === 0) throw new CordonError('no_connection', 'There is no connection of your own to export.');
  const names = own.map((connection) => connection.name);
  parts.log?.({
    kind: 'secret.revealed',
    surface: parts.surface,
    message: `API keys of ${names.join(', ')} exported, encrypted with a passphrase: ${reason.trim()}`,
    data: { connections: names, reason: reason.trim() },
  });
  return await sealConnections(await Promise.all(own.map((connection) => withSecrets(parts, connection))), passphrase);
}

async function withSecrets({ keys }: Parts, connection: Connection): Promise<SealedConnection> {
  const { name, url, clientId, insecure, colour, environment, readOnly, proxy, ca } = connection;
  const apiKey = await keys.read(connection);
  const login = await keys.readProxyLogin(connection);
  const colon = login?.indexOf(':') ?? -1;
  return {
    ...{ name, url, clientId, insecure, colour, readOnly, proxy, ca, apiKey },
    environment: ownEnvironmentOf(environment),
    proxyLogin: login === undefined ? null : { user: login.slice(0, colon), password: login.slice(colon + 1) },
  };
}

/** Adds what is not there yet, read-only whatever the file says; what is there stays as it is. */
export async function importSealed(
  parts: Parts,
  text: string,
  passphrase: string,
): Promise<readonly ImportedConnection[]> {
  const results: ImportedConnection[] = [];
  for (const connection of await openSealed(text, passphrase)) results.push(await importOne(parts, connection));
  return results;
}

async function importOne(parts: Parts, connection: SealedConnection): Promise<ImportedConnection> {
  const { name } = connection;
  const same = stored(parts).find((one) => isSame(one, connection));
  if (same !== undefined)
    return {
      name,
      outcome: 'there',
      message: `${same.name} is there already: the same ${same.name.toLowerCase() === name.toLowerCase() ? 'name' : 'service and account'}. It stays as it is.`,
    };
  try {
    await add(parts, { ...connection, readOnly: true });
    return { name, outcome: 'added', message: 'Added, read-only, with its key.' };
  } catch (error) {
    return { name, outcome: 'failed', message: reportError(error).message };
  }
}

function isSame(one: Connection, other: SealedConnection): boolean {
  if (one.name.toLowerCase() === other.name.toLowerCase()) return true;
  return one.url === other.url && one.clientId === other.clientId;
}

function stored({ database }: Parts): readonly Connection[] {
  return listStored(database).map(({ connection }) => connection);
}
