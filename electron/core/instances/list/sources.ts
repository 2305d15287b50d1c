/** The sources of a list, read as lines. Each either comes whole or fails: a part of a list is no list. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { CordonError } from '#shared/contract/errors.ts';
import type { ListSource } from '#shared/model/instance.ts';

import { linesOfFile, linesOfText, type Batch } from './lines.ts';

/** SHA-256 hashes of a file list of the service, as they come; rejects when it does not come whole. */
export type FetchFileList = (connection: string, guid: string, signal: AbortSignal) => AsyncIterable<string>;

export function linesOfSource(source: ListSource, fetch: FetchFileList, signal: AbortSignal): AsyncGenerator<Batch> {
  if (source.kind === 'text') return pasted(source.text);
  if (source.kind === 'file') return ofFile(source.path, signal);
  return inBatches(fetch(source.connection, source.guid, signal), signal);
}

/** How the source is named to an operator. */
export function sourceName(source: ListSource): string {
  if (source.kind === 'text') return 'the pasted text';
  return source.kind === 'file' ? `the file ${source.path}` : `the file list ${source.guid}`;
}

async function* pasted(text: string): AsyncGenerator<Batch> {
  yield* linesOfText(text);
}

async function* inBatches(values: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<Batch> {
  let batch: string[] = [];
  for await (const value of values) {
    signal.throwIfAborted();
    batch.push(value);
    if (batch.length < 1000) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* ofFile(path: string, signal: AbortSignal): AsyncGenerator<Batch> {
  // A pipe without a writer would never open otherwise.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const before = await stamp(file, path);
    yield* linesOfFile(file, signal);
    if ((await stamp(file, path)) !== before) {
      throw new CordonError('busy', `The file ${path} was changed while it was read.`, { field: 'sources' });
    }
  } finally {
    await file.close();
  }
}

/** Tells a file that is being written from one that rests. */
async function stamp(file: FileHandle, path: string): Promise<string> {
  const stat = await file.stat({ bigint: true });
  if (!stat.isFile()) throw new CordonError('invalid_argument', `${path} is not a file.`, { field: 'sources' });
  return `${stat.size} ${stat.mtimeNs}`;
}
