/** What is kept of the service on this computer: the local copies of one host, each opened when it is first asked for. */
import type { Connection } from '#shared/model/connection.ts';

import type { ApiClient } from '#core/service/api/types.ts';
import { createAudits, type Audits } from '#core/replicas/audit/audits.ts';
import type { Connections } from '#core/service/connections/types.ts';
import { createDirectories, type Directories } from '#core/replicas/directories.ts';
import { createEventStores, type EventStores } from '#core/replicas/event-stores.ts';
import { createFindings, type Findings } from '#core/insight/search/findings.ts';
import type { Follower } from '#core/actions/isolation/follower.ts';
import type { OpenedGateway } from './gateway.ts';
import { createInventories, type Inventories } from '#core/replicas/inventories.ts';
import type { Jobs } from '#core/work/jobs/types.ts';
import { lazyListEditor, type LazyListEditor } from '#core/work/list-editor/list-editors.ts';
import type { LiveStream } from './live.ts';
import type { ProgramLog } from '#core/base/log.ts';
import type { Ports } from '#core/base/ports.ts';
import type { Profile } from './profile.ts';
import type { Publisher } from './publisher.ts';
import { createSearches, type Searches } from '#core/insight/search/searches.ts';
import { createTrajectories, type Trajectories } from '#core/replicas/trajectories/trajectories.ts';

export interface Copies {
  readonly inventories: Inventories;
  readonly directories: Directories;
  readonly trajectories: Trajectories;
  readonly audits: Audits;
  readonly eventStores: EventStores;
  readonly searches: Searches;
  readonly findings: Findings;
  readonly listEditors: LazyListEditor;
}

/** What every part of the application is given. The live stream and the publisher come last and are asked for when something changes. */
export interface Base {
  readonly ports: Ports;
  readonly profile: Profile;
  readonly opened: OpenedGateway;
  readonly connections: Connections;
  readonly isConsole: boolean;
  readonly programLog: ProgramLog;
  readonly onTrouble: (message: string, error: unknown) => void;
  readonly live: () => LiveStream;
  readonly publisher: () => Publisher;
  readonly jobs: () => Jobs;
}

export function createCopies(base: Base, follower: Follower): Copies {
  const { ports, profile, connections, isConsole, onTrouble, live, publisher, jobs } = base;
  // The embedded sandbox forgets with its process, and the next one may be another tenant.
  const worthless = (connection: Connection): boolean => isConsole && connection.sandbox;
  const common = { profile: ports.profile, clock: ports.clock, connections, worthless };
  const inventories: Inventories = createInventories({
    ...common,
    console: isConsole,
    labels: (connection) => profile.labels.of(connection),
    onOpen: follower.watch,
    onChange: (connection, change) => publisher().computersChanged(connection, change.guid),
  });
  const eventStores: EventStores = createEventStores({
    ...common,
    inventories,
    keptEvents: () => base.profile.settings.get().keptEvents,
    onChange: (connection, store) => live().publish({ kind: 'events', connection, revision: store.state().revision }),
  });
  const directories: Directories = createDirectories({
    ...common,
    inventories,
    seen: (connection) => eventStores.opened(connection),
    onChange: (connection) => publisher().directoryChanged(connection),
    onTrouble,
  });
  const client = (connection: string): ApiClient => connections.client(connections.find(connection).id);
  const searches = createSearches({
    clock: ports.clock,
    client,
    sources: (connection) => ({
      inventory: inventories.open(connection),
      events: eventStores.open(connection),
      directory: directories.open(connection),
      log: base.profile.log,
    }),
  });
  const trajectories = createTrajectories(common);
  const audits = createAudits({
    ...common,
    secrets: ports.secrets,
    random: (bytes) => ports.random(bytes),
    log: () => profile.log,
  });
  const listEditors = lazyListEditor({
    ...common,
    directories,
    eventStores,
    guards: profile.guards,
    jobs,
    onTrouble,
  });
  const findings = createFindings(client);
  return { inventories, eventStores, directories, trajectories, audits, searches, findings, listEditors };
}
