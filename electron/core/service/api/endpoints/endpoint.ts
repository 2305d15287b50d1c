import { CordonError } from '#shared/contract/errors.ts';

import { checkInteger } from '../checks.ts';
import { walkPages } from '../listing.ts';
import type { Listing, Page, WalkOptions } from '../pages.ts';
import type { Answered, ApiAnswer, ApiClient, ApiRequest, CallOptions } from '../types.ts';
import { readLeniently, type Shape, type Issue } from './lenient.ts';

export type Query = readonly (readonly [name: string, value: string])[];

/** Array parameters go out as repeated `name[]=` (API reference, "Request format"). */
export function many<T extends string | number>(
  name: string,
  values: readonly T[] | undefined,
  check: (value: T) => T | string,
): Query {
  return (values ?? []).map((value) => [`${name}[]`, String(check(value))]);
}

export function one<T extends string | number>(
  name: string,
  value: T | undefined,
  check: (value: T) => T | string,
): Query {
  return value === undefined ? [] : [[name, String(check(value))]];
}

/** Calls an endpoint that answers with one object in `data`. */
export async function callFor<T>(
  client: ApiClient,
  request: ApiRequest,
  shape: Shape<T>,
  options?: CallOptions,
): Promise<Answered<T>> {
  const answer = await client.call(request, options);
  return { ...factsOf(answer), data: parseData(request, answer, shape) };
}

/** The `data` of an answer in its documented form, or as near to it as it can be read. */
export function parseData<T>(request: ApiRequest, answer: ApiAnswer, shape: Shape<T>): T {
  const read = readLeniently(shape, member(answer.body, 'data'));
  if ('record' in read) return read.record;
  throw unexpectedShape(request, answer, read.issue);
}

interface ListSpec<T> {
  readonly path: readonly string[];
  readonly query: Query;
  /** Of one record. */
  readonly shape: Shape<T>;
  /** Where the records are in `data`; left out, it is the list itself. */
  readonly itemsOf?: (data: unknown, request: ApiRequest, answer: ApiAnswer) => unknown;
  readonly key: (record: T) => string;
}

/** Reads a paged listing; see `walkPages`. */
export async function list<T>(
  client: ApiClient,
  spec: ListSpec<T>,
  range: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  walk: WalkOptions<T> = {},
): Promise<Listing<T>> {
  const { all, offsets, keep, onPage, signal, ...options } = walk;
  const limit = range.limit === undefined ? undefined : checkInteger('limit', range.limit, 1, 10_000_000);
  const offset = checkInteger('offset', range.offset ?? 0, 0, 10_000_000);
  const want = limit ?? (all === true ? 'all' : 'default');
  const read = async (at: number, count: number | undefined, inner: AbortSignal | undefined) => {
    const query = [...spec.query, ...pageQuery(at, count)];
    const request: ApiRequest = { method: 'GET', path: spec.path, query };
    const answer = await client.call(request, { ...options, signal: inner });
    return pageOf(request, answer, spec);
  };
  return walkPages(read, { want, offset, offsets, keep, key: spec.key, onPage: reporting(onPage, options), signal });
}

function reporting<T>(onPage: WalkOptions<T>['onPage'], options: CallOptions): WalkOptions<T>['onPage'] {
  return (records, progress) => {
    onPage?.(records, progress);
    options.onProgress?.({ kind: 'pages', read: progress.pagesRead, total: progress.pages, records: progress.records });
  };
}

function pageQuery(offset: number, limit: number | undefined): Query {
  const size: Query = limit === undefined ? [] : [['limit', String(limit)]];
  return offset === 0 ? size : [...size, ['offset', String(offset)]];
}

function pageOf<T>(request: ApiRequest, answer: ApiAnswer, spec: ListSpec<T>): Page<T> {
  const metadata = member(answer.body, 'metadata');
  const total = member(member(metadata, 'results'), 'total');
  const next = member(member(metadata, 'links'), 'next');
  return {
    ...factsOf(answer),
    ...recordsOf(request, answer, spec),
    total: typeof total === 'number' ? total : null,
    hasNext: typeof next === 'string',
  };
}

/** An answer in which no record can be read is unreadable as a whole. */
function recordsOf<T>(request: ApiRequest, answer: ApiAnswer, { shape, itemsOf }: ListSpec<T>) {
  const data = member(answer.body, 'data');
  const given = itemsOf === undefined ? data : itemsOf(data, request, answer);
  if (!Array.isArray(given)) throw unexpectedShape(request, answer, { path: [], message: 'expected a list' });
  const records: T[] = [];
  let first: Issue | undefined;
  for (const [index, one] of given.entries()) {
    const read = readLeniently(shape, one);
    if ('record' in read) records.push(read.record);
    else first ??= { ...read.issue, path: [index, ...read.issue.path] };
  }
  if (records.length === 0 && first !== undefined) throw unexpectedShape(request, answer, first);
  return { records, unusable: given.length - records.length };
}

function factsOf(answer: ApiAnswer): Pick<ApiAnswer, 'status' | 'requestId' | 'durationMs' | 'at'> {
  return { status: answer.status, requestId: answer.requestId, durationMs: answer.durationMs, at: answer.at };
}

/** A member of an object of unknown form. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** After a change an unreadable answer leaves its outcome unknown; after a reading it is only a defect of the service. */
export function unexpectedShape(request: ApiRequest, answer: ApiAnswer, issue: Issue | undefined): CordonError {
  const where = issue === undefined ? '' : ` (${['data', ...issue.path].map(String).join('.')}: ${issue.message})`;
  const details = { status: answer.status, ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }) };
  const shape = new CordonError(
    'unexpected_shape',
    `The service's answer does not have the documented form${where}.`,
    details,
  );
  if (request.method === 'GET' || request.method === 'OPTIONS') return shape;
  const message = `The service accepted the request, but its answer does not have the documented form${where}. Check the current state before retrying.`;
  return new CordonError('outcome_unknown', message, details, { cause: shape });
}
