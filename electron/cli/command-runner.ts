/** The runner of one command, with what the profile knows of its target. A mere reading does without, and starts faster. */
import type { ApiClient } from '#core/service/api/types.ts';
import { createRunner } from '#core/actions/commands/runner.ts';
import type { LookBefore, Runner, RunnerServices } from '#core/actions/commands/types.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { CommandSpec } from '#shared/commands/define.ts';
import type { Connection } from '#shared/model/connection.ts';

import type { Globals } from './globals.ts';
import type { Session } from './session.ts';

export interface RunnerNeeds {
  readonly spec: CommandSpec;
  readonly globals: Globals;
  readonly session: Session;
  readonly connection: Connection;
}

/** What a change needs beside the service itself; whoever opened it stops it. */
interface Knowledge extends Pick<RunnerServices, 'knownHashes' | 'lookBefore'> {
  readonly inventory: Inventory | undefined;
  stop(): Promise<void>;
}

export async function withRunner<T>(needs: RunnerNeeds, work: (runner: Runner) => Promise<T>): Promise<T> {
  const { profile, ports, console } = needs.session;
  if (console !== undefined) return await work(console.runner);
  const { connections, log, locks, guards, custody, approvals } = profile;
  const { inventory, knownHashes, lookBefore, stop } = await knowledgeFor(needs);
  try {
    return await work(
      createRunner({
        ...{ clock: ports.clock, log, locks, guards, custody, approvals, knownHashes, lookBefore },
        connections: {
          find: (name) => connections.find(name),
          mode: (id) => connections.mode(id),
          client: (id) => clientOf(needs, id),
        },
        inventory: () => inventory,
      }),
    );
  } finally {
    await stop();
  }
}

async function knowledgeFor(needs: RunnerNeeds): Promise<Knowledge> {
  const { spec, globals, session } = needs;
  const isStored = globals.server === undefined;
  const names = ['connector_guid', 'group_guid'].some((name) => name in spec.args);
  const changes = spec.risk !== 'read';
  const inventory = changes && isStored && names ? await openCopy(needs) : undefined;
  const here = changes && isStored && 'sha256' in spec.args ? await openKnown(session) : undefined;
  return {
    inventory,
    knownHashes: here?.known,
    // Isolations and releases are not on the undo list: nothing is loaded for them.
    lookBefore: spec.risk !== 'change' ? undefined : isStored ? await lookFor(needs, inventory) : notStored,
    stop: async () => {
      await here?.stop();
      await inventory?.stop();
    },
  };
}

async function openKnown(session: Session) {
  const { knownHere } = await import('./known-hashes.ts');
  return knownHere(session);
}

async function lookFor(needs: RunnerNeeds, inventory: Inventory | undefined): Promise<LookBefore> {
  const { lookBefore } = await import('#core/work/undo/before.ts');
  return lookBefore({
    clock: needs.session.ports.clock,
    client: (id) => clientOf(needs, id),
    inventory: () => inventory,
    directory: () => undefined,
  });
}

const notStored: LookBefore = () =>
  Promise.resolve({ observed: null, impossible: 'Undo works for stored connections only.' });

/** A local copy that cannot be opened keeps no command from running: the target is then named by its GUID. */
async function openCopy({ session: { ports, profile }, connection }: RunnerNeeds): Promise<Inventory | undefined> {
  try {
    const { openConnectionInventory } = await import('#core/replicas/computers/replica.ts');
    return openConnectionInventory({
      profile: ports.profile,
      clock: ports.clock,
      connection: connection.id,
      client: profile.connections.client(connection.id),
    });
  } catch {
    return undefined;
  }
}

/** The client, waiting for the request budget no longer than it may. */
function clientOf({ session, globals: { maxWaitMs } }: RunnerNeeds, id: string): ApiClient {
  const client = session.profile.connections.client(id);
  if (maxWaitMs === undefined) return client;
  const most = (wanted = maxWaitMs): number => Math.min(wanted, maxWaitMs);
  return {
    ...client,
    call: (request, options) => client.call(request, { ...options, maxBudgetWaitMs: most(options?.maxBudgetWaitMs) }),
  };
}
