import type { Connection } from '#shared/model/connection.ts';

import { given } from '../given.ts';
import type { NewEntry } from '../incidents/types.ts';
import { reportedStream } from '../router-errors.ts';
import type { Implementer, RouterParts } from '../router.ts';

export function connectionProcedures(os: Implementer, parts: RouterParts) {
  const { connections, frame, forget, stopping, programLog } = parts;
  const routes = os.connections;
  return {
    list: routes.list.handler(() => connections.list()),
    add: routes.add.handler(async ({ input }) => {
      const made = await connections.add(input);
      note(
        parts,
        made,
        `Connection ${made.name} was added: ${made.url}, ${made.readOnly ? 'read-only' : 'writing allowed'}.`,
      );
      return made;
    }),
    update: routes.update.handler(async ({ input }) => {
      const before = connections.find(input.id);
      const after = await connections.update(before.id, given(input.change));
      if (leadsElsewhere(before, after)) await forget(after.id);
      note(
        parts,
        after,
        `Connection ${after.name} was changed: ${changesOf(before, after, input.change.apiKey !== undefined)}.`,
      );
      return after;
    }),
    remove: routes.remove.handler(async ({ input }) => {
      const gone = connections.find(input.id);
      await connections.remove(gone.id);
      await forget(gone.id);
      note(parts, gone, `Connection ${gone.name} was removed.`);
    }),
    test: routes.test.handler(({ input, signal }) => {
      const either = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      return reportedStream(
        connections.test({ id: input.id, draft: input.draft && given(input.draft) }, either),
        'connections.test',
        programLog,
      );
    }),
    frame: routes.frame.handler(({ input }) => frame(input.connection)),
    setLocked: routes.setLocked.handler(({ input }) => {
      const connection = connections.find(input.connection);
      connections.setLocked(connection.id, input.locked);
      note(parts, connection, `Writing on ${connection.name} was switched ${input.locked ? 'off' : 'on'}.`);
      return frame(connection.id);
    }),
  };
}

/** Another service or account: the local copy is of something else. */
function leadsElsewhere(before: Connection, after: Connection): boolean {
  return before.url !== after.url || before.clientId !== after.clientId;
}

function changesOf(before: Connection, after: Connection, key: boolean): string {
  const names = ['name', 'url', 'clientId', 'insecure', 'colour', 'environment', 'readOnly'] as const;
  const changed = names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${String(before[name])} → ${String(after[name])}`);
  return [...changed, ...(key ? ['a new API key'] : [])].join(', ') || 'nothing';
}

/** What changed a connection is written down; a log in trouble does not keep anyone from switching writing off. */
function note({ profile, programLog }: RouterParts, { id, name, url }: Connection, message: string): void {
  const entry: NewEntry = { kind: 'connection.changed', surface: 'screen', connection: { id, name, url }, message };
  try {
    profile.log.append(entry);
  } catch (error) {
    programLog.error({ err: error }, `The incident log did not take: ${message}`);
  }
}
