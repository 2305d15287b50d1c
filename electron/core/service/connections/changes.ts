/** What the incident log says about changes of connections. The key itself is never among it. */
import type { Connection } from '#shared/model/connection.ts';
import type { Surface } from '#shared/model/incident.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import type { SecretChange } from './keys.ts';

const watched = [
  'name',
  'url',
  'clientId',
  'insecure',
  'colour',
  'environment',
  'readOnly',
  'proxy',
  'hasProxyLogin',
  'ca',
] as const satisfies readonly (keyof Connection)[];

const titles: Readonly<Record<(typeof watched)[number] | 'apiKey' | 'proxyLogin', string>> = {
  name: 'name',
  url: 'address',
  clientId: 'client ID',
  apiKey: 'API key',
  insecure: 'trust any certificate',
  colour: 'colour',
  environment: 'environment',
  readOnly: 'read-only',
  proxy: 'proxy',
  hasProxyLogin: 'credentials for the proxy',
  proxyLogin: 'credentials for the proxy',
  ca: 'own authorities',
};

export function addedEntry(connection: Connection, surface: Surface): NewEntry {
  const mode = connection.readOnly ? 'read-only' : 'writing allowed';
  return entry(
    connection,
    surface,
    `Connection added: ${connection.name} (${connection.url}, ${mode}).`,
    factsOf(connection, watched),
  );
}

/** `undefined` when nothing changed. */
export function updatedEntry(
  before: Connection,
  after: Connection,
  secrets: SecretChange,
  { surface, reason }: { readonly surface: Surface; readonly reason?: string | undefined },
): NewEntry | undefined {
  const changed = watched.filter((name) => before[name] !== after[name]);
  const replaced = (['apiKey', 'proxyLogin'] as const).filter((name) => typeof secrets[name] === 'string');
  const names = [...new Set([...changed, ...replaced].map((name) => changeWords(name, after)))];
  if (names.length === 0) return undefined;
  const data = {
    before: factsOf(before, changed),
    after: factsOf(after, changed),
    ...(reason !== undefined && reason.trim() !== '' && { reason: reason.trim() }),
  };
  return entry(after, surface, `Connection changed: ${before.name} (${names.join(', ')}).`, data);
}

/** A switch is told with what it is now: "read-only" alone would read as its opposite where it was switched off. */
function changeWords(name: keyof typeof titles, after: Connection): string {
  const value = name === 'apiKey' || name === 'proxyLogin' ? undefined : after[name];
  return typeof value === 'boolean' && name !== 'hasProxyLogin'
    ? `${titles[name]} switched ${value ? 'on' : 'off'}`
    : titles[name];
}

export function removedEntry(connection: Connection, surface: Surface): NewEntry {
  return entry(connection, surface, `Connection removed: ${connection.name}.`, factsOf(connection, watched));
}

export function lockEntry(connection: Connection, locked: boolean, surface: Surface): NewEntry {
  return entry(connection, surface, `Writing on ${connection.name} was switched ${locked ? 'off' : 'on'}.`, { locked });
}

function entry(
  connection: Connection,
  surface: Surface,
  message: string,
  data: Readonly<Record<string, unknown>>,
): NewEntry {
  const { id, name, url } = connection;
  return { kind: 'connection.changed', surface, message, connection: { id, name, url }, data };
}

function factsOf(connection: Connection, names: readonly (keyof Connection)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, connection[name]]));
}
