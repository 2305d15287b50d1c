import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useSettings } from '../../api/hooks.ts';
import { checkOf, standingOf, type HashChange, type Standing } from './hash-change.ts';
import type { Client } from '../../api/wire.ts';

export interface StandingView {
  /** `undefined` while it is read. */
  readonly standing: Standing | undefined;
  readonly failed: string | null;
  retry(): void;
}

/** Reads whether things are still as the change left them: one call for each `opened`. */
export function useStanding(change: HashChange, opened: number): StandingView {
  const { client } = useApi();
  const { activeIncident } = useSettings();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['standing', change.entry, opened],
    queryFn: ({ signal }) => readStanding(client, change, activeIncident, signal),
    gcTime: 0,
    staleTime: Infinity,
  });
  return {
    standing: isFetching ? undefined : data,
    failed: error === null || isFetching ? null : asCordonError(error).message,
    retry: () => void refetch(),
  };
}

async function readStanding(
  client: Client,
  change: HashChange,
  incident: string | null,
  signal: AbortSignal,
): Promise<Standing> {
  const { name, args } = checkOf(change);
  const input = { connection: change.connection, name, args: { ...args }, surface: 'screen' as const, incident };
  try {
    const result = await client.commands.run({ ...input, run: crypto.randomUUID() }, { signal });
    return standingOf(change, { note: noteOf(result.data) });
  } catch (error) {
    if (asCordonError(error).code === 'not_found') return standingOf(change, null);
    throw error;
  }
}

/** Note of the item as the service tells it; an item without one has no such field. */
function noteOf(item: unknown): string {
  if (typeof item !== 'object' || item === null || !('description' in item)) return '';
  return typeof item.description === 'string' ? item.description : '';
}
