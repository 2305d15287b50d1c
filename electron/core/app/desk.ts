/** What signed requests from outside get: notes, answers from local data, and changes that are proposed and never made. */
import { CordonError } from '#shared/contract/errors.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import type { Playbooks } from '#core/playbooks/playbooks.ts';
import type { EventStores } from '#core/replicas/events/replica.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { Desk, DeskCaller } from './gateway.ts';

export interface DeskParts {
  readonly connections: Pick<Connections, 'find'>;
  readonly log: Pick<IncidentLog, 'append'>;
  readonly eventStores: Pick<EventStores, 'open'>;
  /** They are built after the gateway. */
  readonly playbooks: () => Pick<Playbooks, 'mayStartAlone' | 'start'>;
  /** Puts the isolation before people; resolves with the ID of the approval. */
  readonly proposeIsolation: (caller: DeskCaller, computer: string) => Promise<string>;
}

/** Names in an answer. */
const mostNames = 10;

export function openDesk({ connections, log, eventStores, playbooks, proposeIsolation }: DeskParts): Desk {
  /** Each request is in the log before anything comes of it. */
  const note = async ({ connection, from, instance }: DeskCaller, message: string): Promise<void> => {
    const { id, name, url } = connections.find(connection);
    const data = { webhook: instance, from };
    await log.append({ kind: 'note', surface: 'automation', message, connection: { id, name, url }, data });
  };
  return {
    async note(caller, text) {
      await note(caller, `${caller.from}: ${text}`);
      return 'Noted in the incident log.';
    },
    async whoHas(caller, hash) {
      const { id } = connections.find(caller.connection);
      await note(caller, `${caller.from} asked which computers have ${hash}.`);
      return whoHas(eventStores.open(id), hash);
    },
    async proposeIsolation(caller, computer) {
      const approval = await proposeIsolation(caller, computer);
      return `Proposed: isolate ${computer}. Somebody has to approve it in Cordon (${approval}).`;
    },
    async startPlaybook(caller, playbook, variables) {
      const { connection, from } = caller;
      const { name } = playbooks().mayStartAlone(playbook);
      await note(caller, `${from} starts the playbook ${name}.`);
      const run = await playbooks().start({ playbook, connection, variables, startedBy: from });
      return `Started the playbook ${name} (${run.id}).`;
    },
  };
}

function whoHas(store: ReturnType<EventStores['open']>, hash: string): string {
  const asked = {
    filter: `hash:${hash}`,
    from: null,
    to: null,
    grouping: 'computer',
    offset: 0,
    limit: mostNames,
  } as const;
  const { rows, matching } = store.query(asked);
  const { oldest } = store.state();
  const since = oldest === null ? '' : ` since ${oldest.slice(0, 10)}`;
  if (rows.length === 0) return `No stored event${since} names ${hash}.`;
  const names = rows.map(({ hostname, guid }) => hostname || (guid ?? 'unknown')).join(', ');
  const more = matching.count > rows.length ? ' and more' : '';
  const count = `${matching.exact ? '' : 'at least '}${counted(matching.count, nouns.computer)}`;
  return `Events${since} name it on ${count}: ${names}${more}.`;
}

/** Throws where the text names none, or several. */
export function oneComputer<Row extends { readonly hostname: string; readonly guid: string }>(
  rows: readonly Row[],
  typed: string,
): Row {
  const wanted = typed.trim().toLowerCase();
  const found = rows.filter(({ hostname, guid }) => guid.toLowerCase() === wanted || hostname.toLowerCase() === wanted);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const what = first === undefined ? 'No computer' : `${found.length} computers`;
  throw new CordonError('not_found', `${what} found as ${typed}. Give the GUID.`);
}
