import { useEffect, useState } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { each } from '../../api/each.ts';
import { asCordonError } from '../../api/errors.ts';
import { useWireState } from '../../api/hooks.ts';
import { emptyLog, mostRequests, paused, taken, type RequestLog } from './request-log.ts';

export interface Requests extends RequestLog {
  readonly isLoading: boolean;
  readonly error: CordonError | null;
  setPaused(isPaused: boolean): void;
  retry(): void;
}

/** The finished requests of an instance as they come; it follows again after every reconnection. */
export function useRequests(id: string): Requests {
  const { client } = useApi();
  const wire = useWireState().kind;
  const [log, setLog] = useState<RequestLog>(emptyLog);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<CordonError | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (wire !== 'connected') return;
    const stop = new AbortController();
    const take = (batch: Parameters<typeof taken>[1]) => setLog((old) => taken(old, batch));
    const follow = async () => {
      try {
        // The stream first: what ends between the two calls is in one of them, or in both.
        const stream = await client.instances.follow({ id }, { signal: stop.signal });
        take(await client.instances.requests({ id, limit: mostRequests }, { signal: stop.signal }));
        setLoading(false);
        setError(null);
        for await (const batch of each(stream)) take(batch);
      } catch (thrown) {
        if (stop.signal.aborted) return;
        setLoading(false);
        setError(asCordonError(thrown));
      }
    };
    void follow();
    return () => stop.abort();
  }, [client, id, wire, attempt]);

  return {
    ...log,
    isLoading,
    error,
    setPaused: (isPaused) => setLog((old) => paused(old, isPaused)),
    retry: () => setAttempt((old) => old + 1),
  };
}
