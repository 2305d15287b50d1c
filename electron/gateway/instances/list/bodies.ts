/** The bodies of a built list: the default ones from their files, the others in a stream from the built lines. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { bodyMeter, type BodyFacts } from './build.ts';
import type { ByteRange } from './conditional.ts';
import { bodyOf } from './render.ts';
import type { BuildRecord, Shelf } from './shelf.ts';
import { defaultVariant, variantKey, type Variant } from './variant.ts';

export interface Bodies {
  /** Size and checksums; of a variant, from a first pass over it that is remembered. */
  factsOf(record: BuildRecord, variant: Variant): Promise<BodyFacts>;
  /** Each piece is to be used up before the next is asked for: its memory is used again. */
  open(record: BuildRecord, variant: Variant, range: ByteRange | null): AsyncIterable<Buffer>;
  /** Ends the passes that run. */
  stop(): void;
}

/** So many variants of a list are remembered, and so many are measured at once. */
const remembered = 64;
const passes = 2;

export function createBodies(shelf: Shelf): Bodies {
  const known = new Map<string, Promise<BodyFacts>>();
  const stopping = new AbortController();
  const gate = createGate(passes);

  function factsOf(record: BuildRecord, variant: Variant): Promise<BodyFacts> {
    const ready = bodyFile(record, variant) === null ? undefined : record.facts.bodies[variant.format];
    if (ready !== undefined) return Promise.resolve(ready);
    const key = `${record.id} ${variantKey(variant)}`;
    const facts = known.get(key) ?? gate(() => measure(record, variant));
    known.delete(key);
    known.set(key, facts);
    // A pass that failed is tried again by the next who asks.
    facts.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    return facts;
  }

  async function measure(record: BuildRecord, variant: Variant): Promise<BodyFacts> {
    const release = shelf.holdId(record.id);
    try {
      const meter = bodyMeter();
      for await (const piece of bodyOf(shelf.baseOf(record), variant, stopping.signal)) meter.add(piece);
      return meter.facts();
    } finally {
      release();
    }
  }

  async function* piecesFor(record: BuildRecord, variant: Variant, range: ByteRange | null): AsyncGenerator<Buffer> {
    const file = bodyFile(record, variant);
    const release = shelf.holdId(record.id);
    try {
      if (file === null) yield* ofVariant(record, variant);
      else yield* piecesOf(join(shelf.folderOf(record.id), file), range);
    } finally {
      release();
    }
  }

  async function* ofVariant(record: BuildRecord, variant: Variant): AsyncGenerator<Buffer> {
    for await (const { bytes } of bodyOf(shelf.baseOf(record), variant, stopping.signal)) {
      if (bytes.length > 0) yield bytes;
    }
  }

  return { factsOf, open: piecesFor, stop: () => stopping.abort() };
}

const pieceBytes = 131_072;

/** Of a file, each in the same memory: a stream of its own for each reader would leave its buffers to be cleaned up. */
export async function* piecesOf(path: string, range: ByteRange | null): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const memory = Buffer.allocUnsafeSlow(pieceBytes);
    const end = range === null ? Number.POSITIVE_INFINITY : range.last + 1;
    for (let at = range?.first ?? 0; at < end;) {
      const { bytesRead } = await file.read(memory, 0, Math.min(pieceBytes, end - at), at);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** The file that holds this variant, or `null`. */
export function bodyFile(record: BuildRecord, variant: Variant): string | null {
  const own = { ...defaultVariant(record.definition), format: variant.format };
  return variantKey(own) === variantKey(variant) && record.facts.bodies[variant.format] !== undefined
    ? variant.format
    : null;
}

/** Lets so many run at once; the others wait in order. */
function createGate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
