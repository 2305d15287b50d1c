import type { BodyPace, ClientExchange } from './exchange.ts';
import { badRequest } from './refusals.ts';
import type { Refusal } from './message-types.ts';

export interface Collected {
  done(body: Buffer): void;
  failed(refusal: Refusal | null): void;
}

/** Reads a body whole, up to `limit` bytes; above that it is 413. Trailers are dropped. */
export function collectBody(exchange: ClientExchange, limit: number, pace: BodyPace, collected: Collected): void {
  const { framing } = exchange.head;
  if (framing.kind === 'length' && framing.length > limit) return collected.failed(badRequest.tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  exchange.readBody(
    {
      data: (chunk) => {
        const isFull = size > limit;
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else if (!isFull) collected.failed(badRequest.tooLarge);
      },
      end: () => {
        if (size <= limit) collected.done(Buffer.concat(chunks, size));
      },
      failed: (refusal) => {
        if (size <= limit) collected.failed(refusal);
      },
    },
    pace,
  );
}
