import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { Surface } from '#shared/model/incident.ts';

import type { SecretStore } from '../ports.ts';

/** API keys of connections in the host's secret store. */
export interface Keys {
  /** Throws `secret_unavailable`. */
  read(connection: Pick<Connection, 'id' | 'name' | 'url' | 'clientId'>): Promise<string>;
  /** Puts the key in (`undefined` takes it out) for as long as `work` succeeds; what was there before comes back when it throws. */
  during<T>(id: string, key: string | undefined, work: () => T): Promise<T>;
}

/** `surface`: who would have to help when a key is not there. */
export function openKeys(secrets: SecretStore, surface: Surface): Keys {
  return {
    read: async (connection) => {
      const key = await readOrExplain(secrets, connection);
      if (key !== undefined) return key;
      throw new CordonError('secret_unavailable', `The API key of ${connection.name} is not in the secret store.`, {
        field: 'apiKey',
        fix: surface === 'cli' ? fixOnCommandLine(connection) : fixOnScreen,
      });
    },
    during: async (id, key, work) => {
      const problem = await secrets.unavailable();
      if (problem !== null) throw new CordonError('secret_unavailable', problem);
      // A damaged key can be replaced and removed like any other; it only cannot come back.
      const before = await secrets.read(secretName(id)).catch(() => undefined);
      await put(secrets, id, key);
      try {
        return work();
      } catch (error) {
        await put(secrets, id, before);
        throw error;
      }
    },
  };
}

type Subject = Parameters<Keys['read']>[0];

async function readOrExplain(secrets: SecretStore, { id, name }: Subject): Promise<string | undefined> {
  try {
    return await secrets.read(secretName(id));
  } catch (error) {
    if (error instanceof CordonError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CordonError(
      'secret_unavailable',
      `The API key of ${name} cannot be read: ${reason.replace(/\.$/, '')}.`,
      { field: 'apiKey', fix: fixOnScreen },
      { cause: error },
    );
  }
}

/** Window and command line keep their keys in different stores of one profile. */
const fixOnScreen =
  'Open Connections and enter the API key again. The desktop window keeps its keys apart from the headless console and the command line.';

function fixOnCommandLine({ url, clientId }: Subject): string {
  return (
    'A key that was entered in the Cordon window is kept by the operating system for that window alone: run the command there, ' +
    `or give the key for this command with --server ${url} --client-id ${clientId} --api-key-file FILE.`
  );
}

function put(secrets: SecretStore, id: string, key: string | undefined): Promise<void> {
  return key === undefined ? secrets.remove(secretName(id)) : secrets.write(secretName(id), key);
}

function secretName(id: string): string {
  return `connection/${id}/api-key`;
}
