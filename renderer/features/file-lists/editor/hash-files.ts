/** Hashes files by the host where it knows their path, and by the page's worker where it does not. */
import type { HashStep } from '#shared/contract/editor.ts';

import type { HashAnswer } from './hashing/messages.ts';
import type { Hashing } from './hashing/start-hashing.ts';

export interface HashWays {
  /** `null`: the host does not know its path. */
  readonly ticketFor: (file: File) => Promise<string | null>;
  readonly byHost: (ticket: string, signal: AbortSignal) => AsyncIterable<HashStep>;
  readonly byWorker: (files: readonly File[], onAnswer: (answer: HashAnswer) => void) => Hashing;
}

/** Each file ends with `hashed` or `failed`, unless it is cancelled before. */
export function hashFiles(files: readonly File[], ways: HashWays, onAnswer: (answer: HashAnswer) => void): Hashing {
  const stop = new AbortController();
  let worker: Hashing | undefined;
  const begin = async (): Promise<void> => {
    const tickets = await Promise.all(files.map((file) => ways.ticketFor(file)));
    if (stop.signal.aborted) return;
    const rest = files.flatMap((file, index) => (tickets[index] === null ? [{ file, index }] : []));
    if (rest.length > 0)
      worker = ways.byWorker(
        rest.map(({ file }) => file),
        (answer) => onAnswer({ ...answer, index: rest[answer.index]?.index ?? answer.index }),
      );
    // One after the other: several at once would only wait for the same disk.
    for (const [index, ticket] of tickets.entries())
      if (typeof ticket === 'string') await hashByHost(index, ticket, ways, stop.signal, onAnswer);
  };
  void begin();
  return {
    cancel: () => {
      stop.abort();
      worker?.cancel();
    },
  };
}

async function hashByHost(
  index: number,
  ticket: string,
  { byHost }: HashWays,
  signal: AbortSignal,
  onAnswer: (answer: HashAnswer) => void,
): Promise<void> {
  if (signal.aborted) return;
  try {
    for await (const step of byHost(ticket, signal)) if (!signal.aborted) onAnswer({ ...step, index });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) onAnswer({ kind: 'failed', index, message });
  }
}
