/** The bodies of a built list: the default ones from their files, the others in a stream from the built lines. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { bodyMeter, type BodyFacts } from './build.ts';
import type { ByteRange } from './conditional.ts';
import { bodyOf } from './render.ts';
import type { BuildRecord, Shelf } from './shelf.ts';
import { defaultVariant, variantKey, type Variant } from './variant.ts';

export interface Bodies {
  /** Size and checksums; of a variant, from a first pass over it that is remembered. */
  factsOf(record: BuildRecord, variant: Variant): Promise<BodyFacts>;
  /** Destroying the stream closes its files. */
  open(record: BuildRecord, variant: Variant, range: ByteRange | null): Readable;
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

  function open(record: BuildRecord, variant: Variant, range: ByteRange | null): Readable {
    const file = bodyFile(record, variant);
    const stream = file === null ? ofVariant(record, variant) : ofFile(join(shelf.folderOf(record.id), file), range);
    const release = shelf.holdId(record.id);
    stream.once('close', release);
    return stream;
  }

  function ofVariant(record: BuildRecord, variant: Variant): Readable {
    const pieces = bodyOf(shelf.baseOf(record), variant, stopping.signal);
    return Readable.from(
      (async function* () {
        for await (const { bytes } of pieces) if (bytes.length > 0) yield bytes;
      })(),
      { objectMode: false },
    );
  }

  return { factsOf, open, stop: () => stopping.abort() };
}

function ofFile(path: string, range: ByteRange | null): Readable {
  return createReadStream(path, range === null ? {} : { start: range.first, end: range.last });
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
