import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { Trajectory } from '#shared/contract/sight.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';

/** Another computer of the drawing. */
export interface Compared {
  readonly guid: string;
  readonly hostname: string;
  /** `undefined` while it is not known whether there is one. */
  readonly trajectory: Trajectory | null | undefined;
  readonly isReading: boolean;
  readonly error: CordonError | null;
  /** Asks the service: one call. */
  read(): void;
}

/** The last drawings of other computers for the same query, and the way to new ones. */
export function useCompared(guids: readonly string[], query: string): readonly Compared[] {
  const { client, queries, cache } = useApi();
  const { id: connection } = useActiveConnection();
  const [reading, setReading] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<ReadonlyMap<string, CordonError>>(new Map());
  const stored = useQueries({
    queries: guids.map((guid) => queries.trajectory.stored.queryOptions({ input: { connection, guid, query } })),
  });
  const details = useQueries({
    queries: guids.map((guid) => queries.computers.detail.queryOptions({ input: { connection, guid } })),
  });
  const read = async (guid: string) => {
    const input = { connection, guid, query };
    const key = `${guid} ${query}`;
    setReading((old) => new Set(old).add(key));
    setErrors((old) => without(old, key));
    try {
      const fresh = await client.trajectory.read(input);
      cache.removeQueries({ queryKey: queries.trajectory.record.key({ input }) });
      cache.setQueryData(queries.trajectory.stored.queryKey({ input }), fresh);
    } catch (error) {
      setErrors((old) => new Map(old).set(key, asCordonError(error)));
    } finally {
      setReading((old) => new Set([...old].filter((each) => each !== key)));
    }
  };
  return guids.map((guid, place) => ({
    guid,
    hostname: stored[place]?.data?.hostname ?? details[place]?.data?.row.hostname ?? guid,
    trajectory: stored[place]?.data,
    isReading: reading.has(`${guid} ${query}`),
    error: errors.get(`${guid} ${query}`) ?? null,
    read: () => void read(guid),
  }));
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const next = new Map(map);
  next.delete(key);
  return next;
}
