import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { Trajectory } from '#shared/contract/sight.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';

export interface Reading {
  /** `undefined` while it is not known whether there is one. */
  readonly trajectory: Trajectory | null | undefined;
  readonly isReading: boolean;
  /** Why the last reading of this query failed. */
  readonly error: CordonError | null;
  /** Asks the service: one call. */
  read(query: string): Promise<void>;
}

interface Attempt {
  readonly key: string;
  readonly error: CordonError | null;
}

/** The last drawing of a computer and query, and the way to a new one. A failure leaves the old one. */
export function useReading(guid: string, query: string): Reading {
  const { client, queries, cache } = useApi();
  const { id: connection } = useActiveConnection();
  const stored = useQuery(queries.trajectory.stored.queryOptions({ input: { connection, guid, query } }));
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [reading, setReading] = useState<string | null>(null);
  const key = keyOf(connection, guid, query);

  const read = useCallback(
    async (asked: string) => {
      const input = { connection, guid, query: asked };
      const mine = keyOf(connection, guid, asked);
      setReading(mine);
      setAttempt(null);
      try {
        const fresh = await client.trajectory.read(input);
        cache.removeQueries({ queryKey: queries.trajectory.record.key({ input }) });
        cache.setQueryData(queries.trajectory.stored.queryKey({ input }), fresh);
      } catch (error) {
        setAttempt({ key: mine, error: asCordonError(error) });
      } finally {
        setReading((now) => (now === mine ? null : now));
      }
    },
    [client, cache, queries, connection, guid],
  );
  const error = attempt?.key === key ? attempt.error : null;
  return {
    trajectory: stored.data,
    isReading: reading === key,
    error: error ?? (stored.error === null ? null : asCordonError(stored.error)),
    read,
  };
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
