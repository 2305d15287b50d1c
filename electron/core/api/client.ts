import http, { type Agent, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

import type { AxiosInstance } from 'axios';

import { CordonError, reportError, type ErrorCode } from '#shared/contract/errors.ts';
import type { LinkState } from '#shared/model/frame.ts';

import { makeAgents, type Agents } from './agents.ts';
import { maxBodyBytes } from './body.ts';
import { createBudget } from './budget.ts';
import {
  attemptCall,
  guardWrite,
  type Call,
  type CallServices,
  type RawAnswer,
  type Shipment,
  type TimedAnswer,
} from './call.ts';
import { invalid } from './checks.ts';
import { isWrite } from './errors.ts';
import { abortError, failed, writeError, type Outcome } from './failure.ts';
import { budgetOf, clockSkewOf, headerOf, type Headers } from './headers.ts';
import { proxyFor } from './proxy.ts';
import { withRetries, type Attempt } from './retry.ts';
import { transportFailure, TransportError, type Phase } from './transport-errors.ts';
import type { ApiAnswer, ApiClient, ApiRequest, CallOptions, ClientOptions, Timeouts } from './types.ts';
import { checkServerUrl, requestUrl } from './url.ts';

const defaultTimeouts: Timeouts = { connectMs: 10_000, responseMs: 60_000 };
const defaultDeadlineMs = 180_000;
const defaultBudgetWaitMs = 3_600_000;

/** The service was reached and knew us: the way to it is in order, whatever it thinks of the request. */
const linkIsGood: ReadonlySet<ErrorCode> = new Set([
  'bad_request',
  'forbidden',
  'not_found',
  'isolation_not_allowed',
  'conflict',
  'rate_limited',
]);

/** One connection's way to the service. Throws `invalid_argument` or `insecure_url` when the address cannot be used. */
export function createApiClient(options: ClientOptions): ApiClient {
  const server = checkServerUrl(options.url);
  if (options.clientId.includes(':')) throw invalid('clientId', 'must not hold a colon');
  const { clock } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const wire = createWire(options, server, timeouts);
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const budget = createBudget({ clock, ledger: options.ledger, changed });
  let link: LinkState = { kind: 'untried' };
  let skewMs: number | null = null;
  let goodKey: string | undefined;

  async function exchange(shipment: Shipment): Promise<Outcome<TimedAnswer>> {
    const from = clock.monotonic();
    const outcome = await wire.send(shipment);
    if (!outcome.ok) return outcome;
    const at = clock.now();
    const durationMs = Math.round(clock.monotonic() - from);
    const record = budgetOf(outcome.value.headers, at);
    if (record !== undefined) budget.observe(record);
    skewMs = clockSkewOf(outcome.value.headers, at, durationMs) ?? skewMs;
    if (outcome.value.status === 200 && !isWrite(shipment.request)) goodKey = shipment.apiKey;
    return { ok: true, value: { ...outcome.value, at, durationMs } };
  }

  function noteLink(outcome: Outcome<ApiAnswer>): void {
    const error = outcome.ok ? undefined : outcome.failure.error;
    if (error?.code === 'cancelled') return;
    const now = new Date(clock.now()).toISOString();
    const good = error === undefined || linkIsGood.has(error.code);
    link = good
      ? { kind: 'ok', at: now }
      : { kind: 'failing', since: link.kind === 'failing' ? link.since : now, error: reportError(error) };
    changed();
  }

  const services: CallServices = { options, budget, exchange, keyIsKnown: (key) => key === goodKey };

  async function call(request: ApiRequest, callOptions: CallOptions = {}): Promise<ApiAnswer> {
    guardWrite(options, request, callOptions);
    const signal =
      callOptions.signal === undefined ? stopping.signal : AbortSignal.any([callOptions.signal, stopping.signal]);
    const budgetWaitLeftMs = callOptions.maxBudgetWaitMs ?? defaultBudgetWaitMs;
    const pending: Call = { request, url: requestUrl(server, request), options: callOptions, signal, budgetWaitLeftMs };
    const attempt = async (how: Attempt): Promise<Outcome<ApiAnswer>> => {
      const outcome = await attemptCall(services, pending, how);
      noteLink(outcome);
      return outcome;
    };
    if (isWrite(request)) return settled(await attempt({ leftMs: Number.POSITIVE_INFINITY, waited: () => {} }), true);
    const { onProgress, deadlineMs = defaultDeadlineMs } = callOptions;
    return settled(await withRetries(attempt, { clock, signal, deadlineMs, onProgress, random: Math.random }), false);
  }

  return {
    call,
    budget: budget.state,
    link: () => link,
    clockSkewMs: () => skewMs,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort(new CordonError('cancelled', 'The connection was closed.'));
      wire.close();
    },
  };
}

function settled(outcome: Outcome<ApiAnswer>, write: boolean): ApiAnswer {
  if (outcome.ok) return outcome.value;
  throw write ? writeError(outcome.failure) : outcome.failure.error;
}

interface Wire {
  send(shipment: Shipment): Promise<Outcome<RawAnswer>>;
  close(): void;
}

/** Bytes to and from one server. axios and the agents are made on first use: much of what starts never calls. */
function createWire(options: ClientOptions, server: URL, timeouts: Timeouts): Wire {
  let agents: Agents | undefined;
  let instance: Promise<AxiosInstance> | undefined;

  function agentFor(request: ApiRequest): Agent {
    const { insecure, extraCa = [] } = options;
    agents ??= makeAgents({
      server,
      insecure,
      extraCa,
      connectMs: timeouts.connectMs,
      proxy: proxyFor(server, options.proxyEnvironment),
    });
    return isWrite(request) ? agents.fresh : agents.kept;
  }

  async function send(shipment: Shipment): Promise<Outcome<RawAnswer>> {
    const watch = watchPhases(Math.min(timeouts.responseMs, Math.max(1, shipment.withinMs)), shipment.signal);
    try {
      shipment.signal.throwIfAborted();
      const agent = agentFor(shipment.request);
      const axios = await (instance ??= makeInstance());
      const { status, headers, data } = await axios.request<Buffer>({
        url: shipment.url.href,
        method: shipment.request.method,
        headers: headersOf(options, shipment),
        data: shipment.request.body === undefined ? undefined : JSON.stringify(shipment.request.body),
        httpAgent: agent,
        httpsAgent: agent,
        transport: {
          request: (given: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => watch.start(given, onAnswer),
        },
        signal: watch.signal,
      });
      // axios types headers as its own class; as an object they are what Node gave.
      return { ok: true, value: { status, headers: { ...headers } as Headers, bytes: data } };
    } catch (error) {
      return { ok: false, failure: watch.failureOf(error, shipment.signal, server) };
    } finally {
      watch.end();
    }
  }

  return { send, close: () => agents?.destroy() };
}

async function makeInstance(): Promise<AxiosInstance> {
  const { default: axios } = await import('axios');
  return axios.create({
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    // Bodies are unpacked and parsed in body.ts, which tells truncated from broken and keeps integers exact.
    responseType: 'arraybuffer',
    decompress: false,
    transformRequest: [],
    transformResponse: [],
    maxContentLength: maxBodyBytes,
    validateStatus: () => true,
  });
}

function headersOf(options: ClientOptions, { request, apiKey }: Shipment): Record<string, string | false> {
  return {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    Authorization: `Basic ${Buffer.from(`${options.clientId}:${apiKey}`).toString('base64')}`,
    'User-Agent': options.userAgent,
    // `false` keeps axios from adding a type to a request without a body.
    'Content-Type': request.body === undefined ? false : 'application/json',
  };
}

interface Watch {
  readonly signal: AbortSignal;
  start(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest;
  failureOf(error: unknown, stopped: AbortSignal, server: URL): ReturnType<typeof failed>;
  end(): void;
}

/** Knows how far a request got. The agent hands over ready connections only, so the time for the answer begins there. */
function watchPhases(responseMs: number, stopped: AbortSignal): Watch {
  const late = new AbortController();
  let phase: Phase = 'connecting';
  let timer: NodeJS.Timeout | undefined;
  const reason = new TransportError(
    'response_timeout',
    `No complete answer within ${Math.round(responseMs / 1000)} seconds.`,
  );

  function start(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const request = (options.protocol === 'https:' ? https : http).request(options, onAnswer);
    request.once('socket', () => {
      phase = 'sent';
      timer = setTimeout(() => late.abort(), responseMs);
    });
    request.once('response', () => (phase = 'answering'));
    return request;
  }

  function failureOf(error: unknown, signal: AbortSignal, server: URL): ReturnType<typeof failed> {
    const unknown = phase !== 'connecting';
    if (late.signal.aborted) return transportFailure(reason, phase, server);
    if (signal.aborted) return { error: abortError(signal), retry: false, unknown };
    if (error instanceof Error && error.message.startsWith('maxContentLength'))
      return failed('too_large', undefined, { unknown });
    return transportFailure(error, phase, server);
  }

  return { signal: AbortSignal.any([late.signal, stopped]), start, failureOf, end: () => clearTimeout(timer) };
}
