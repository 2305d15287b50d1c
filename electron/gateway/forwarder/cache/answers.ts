/** Where the answer to a request comes from: the instance, another client's equal request, or the last good answer. */
import type { UpstreamRequest, UpstreamSink } from '../exchange.ts';
import type { Ticker } from '../ticker.ts';
import type { Fields, Refusal, RequestHead } from '../message-types.ts';
import type { ForwardedInstance } from '../types.ts';
import type { Start } from './call.ts';
import { isShareable, sharedKey, type Asked } from './equal.ts';
import { createLastGood } from './last-good.ts';
import { createSingleFlight, type SingleFlight } from './single-flight.ts';
import { replayNow, sendGuarded, type StaleParts } from './stale-call.ts';

export interface AnswerRequest {
  readonly head: RequestHead;
  readonly instance: Pick<ForwardedInstance, 'id' | 'serveStaleS' | 'singleFlight' | 'state'>;
  /** As it goes to the instance: rest and query. */
  readonly target: string;
  /** What the client wrote before it. */
  readonly prefix: string;
  readonly identity: Fields;
  readonly pseudonym: string;
  /** Why the instance cannot be asked at all, when its state says so. */
  readonly unavailable: Refusal | null;
}

export interface Answers {
  /** Tells the sink nothing but `connected` before it returns. */
  send(request: AnswerRequest, sink: UpstreamSink, start: Start): UpstreamRequest;
  /** Forgets what belongs to instances that are no more. */
  retain(instanceIds: ReadonlySet<string>): void;
}

export function createAnswers(ticker: Ticker, monotonic: () => number): Answers {
  const lastGood = createLastGood(monotonic);
  const flights = createSingleFlight(ticker);
  return {
    send: (request, sink, start) =>
      send({ lastGood, monotonic, pseudonym: request.pseudonym }, flights, request, sink, start),
    retain: (instanceIds) => lastGood.retain(instanceIds),
  };
}

function send(
  parts: StaleParts,
  flights: SingleFlight,
  request: AnswerRequest,
  sink: UpstreamSink,
  start: Start,
): UpstreamRequest {
  const { head, instance, target, prefix, identity, unavailable } = request;
  const asked: Asked = { head, instanceId: instance.id, target, prefix, identity };
  // A disabled instance was switched off by a person: nothing of it is served.
  const isWanted = instance.serveStaleS > 0 && instance.state !== 'disabled';
  const mayBeStale = isWanted && (head.method === 'GET' || head.method === 'HEAD');
  const isDown = unavailable !== null || instance.state === 'unhealthy';
  if (mayBeStale && isDown) {
    const refusal = unavailable ?? unhealthy;
    const kept = replayNow(parts, { asked, seconds: instance.serveStaleS, sink }, { refusal });
    if (kept !== null) return kept;
  }
  if (unavailable !== null) return failing(unavailable, sink);
  const guarded: Start = mayBeStale
    ? (inner) => sendGuarded(parts, { asked, seconds: instance.serveStaleS, sink: inner }, start)
    : start;
  if (!instance.singleFlight || !isShareable(head)) return guarded(sink);
  return flights.send(sharedKey(asked), head, sink, guarded);
}

const unhealthy: Refusal = {
  status: 503,
  reason: 'unhealthy',
  proxyError: 'destination_unavailable',
  detail: 'The instance is not healthy.',
  close: false,
};

function failing(refusal: Refusal, sink: UpstreamSink): UpstreamRequest {
  let isOver = false;
  queueMicrotask(() => {
    if (!isOver) sink.failed({ refusal, stale: false });
  });
  return { write: () => true, end: () => {}, pause: () => {}, resume: () => {}, abort: () => (isOver = true) };
}
