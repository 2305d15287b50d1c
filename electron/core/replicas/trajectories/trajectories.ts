/** Trajectories of computers: read from the service on request, and the last drawing of each kept for when it is away. */
import type { Trajectory } from '#shared/contract/sight.ts';
import type { Computer } from '#shared/model/computer.ts';
import { stringifyExact } from '#shared/model/exact-json.ts';
import type { Trajectory as Answer } from '#shared/model/trajectory.ts';

import { getTrajectory, getUserTrajectory } from '#core/service/api/endpoints/computers.ts';
import type { Answered, ApiClient, CallOptions } from '#core/service/api/types.ts';
import { makeReplica, type AnyReplica, type ReplicaHost } from '../kit/replica.ts';
import { draw } from './draw.ts';
import { oldestFirst } from './order.ts';
import { openTrajectoryStore, type StoredReading, type TrajectoryStore } from './store.ts';

export interface TrajectoryRequest {
  readonly connection: string;
  readonly guid: string;
  /** Address, SHA-256 or URL that the service filters by, `user:` with the name of a user; empty for everything. */
  readonly query: string;
}

export interface Trajectories extends AnyReplica {
  /** The last drawing of that computer and query. Costs nothing. */
  stored(request: TrajectoryRequest): Trajectory | null;
  /** Asks the service: one call. The record of the computer comes along. */
  read(
    request: TrajectoryRequest,
    signal?: AbortSignal,
  ): Promise<{ readonly trajectory: Trajectory; readonly computer: Computer; readonly at: number }>;
  /** The service's record of one point, every digit kept. */
  record(request: TrajectoryRequest & { readonly index: number }): { readonly json: string } | null;
}

/** What is asked for; whether the service gives more than its usual 500 is not known (API reference, 4.5). */
const askedFor = 5000;
const usualMaximum = 500;

/** Somebody waits in front of it; the answer may be some megabytes. */
const patience: CallOptions = { purpose: 'interactive', deadlineMs: 60_000, maxBudgetWaitMs: 5000 };

export function trajectoriesReplica(options: ReplicaHost): Trajectories {
  const stores = makeReplica<TrajectoryStore>(options, {
    kind: 'trajectories',
    folder: 'trajectories',
    open: ({ path }) => openTrajectoryStore(path),
  });
  return {
    ...stores,
    stored: (request) => {
      const found = stores.open(request.connection).find(keyOf(request.guid), request.query);
      return found === undefined ? null : drawingOf(found);
    },
    async read(request, signal) {
      const client = options.connections.client(options.connections.find(request.connection).id);
      const { guid, query } = request;
      const { data, at } = await ask(client, guid, query, { ...patience, signal });
      const reading = readingOf(keyOf(guid), query, data, at);
      stores.open(request.connection).keep(reading);
      return { trajectory: drawingOf(reading), computer: data.computer, at };
    },
    record: ({ connection, guid, query, index }) => {
      const found = stores.open(connection).find(keyOf(guid), query);
      const timed = found === undefined ? undefined : inOrder(found)[index];
      return timed === undefined ? null : { json: stringifyExact(timed.record, 2) };
    },
  };
}

const ofUser = 'user:';

/** Whether a query asks for what a user did. */
export function isOfUser(query: string): boolean {
  return query.startsWith(ofUser);
}

async function ask(client: ApiClient, guid: string, query: string, options: CallOptions): Promise<Answered<Answer>> {
  const common = { connector_guid: guid, limit: askedFor };
  if (isOfUser(query)) return getUserTrajectory(client, { ...common, q: query.slice(ofUser.length).trim() }, options);
  return getTrajectory(client, { ...common, ...(query === '' ? {} : { q: query }) }, options);
}

function readingOf(
  guid: string,
  query: string,
  data: { readonly computer: Computer; readonly events: readonly StoredReading['events'][number][] },
  readAt: number,
): StoredReading {
  const { computer, events } = data;
  return { guid, query, hostname: computer.hostname ?? guid, readAt, cut: isCut(events.length), events };
}

/** Exactly as many as were asked for, or as the service usually gives: there may be older ones. */
function isCut(events: number): boolean {
  return events >= askedFor || events === usualMaximum;
}

function inOrder({ events, readAt }: StoredReading): ReturnType<typeof oldestFirst> {
  return oldestFirst(events, Math.floor(readAt / 1000));
}

function drawingOf(reading: StoredReading): Trajectory {
  const { guid, query, hostname, readAt, cut } = reading;
  return draw({ guid, query, hostname, cut, readAt: new Date(readAt).toISOString() }, inOrder(reading));
}

function keyOf(guid: string): string {
  return guid.trim().toLowerCase();
}
