import type { IncomingMessage, ServerResponse } from 'node:http';

import { problem, Refusal, unauthorized, type Answer } from './answer.ts';
import { credentialFor, type Credential } from './auth.ts';
import { budgetHeaders, type Budget } from './budget.ts';
import { fieldsOf, listsOf, readText, segmentsOf, splitTarget, type Call } from './call.ts';
import type { Control } from './control.ts';
import { cutOff, deliver, effectOf, stormAnswer } from './deliver.ts';
import type { Router } from './router.ts';
import type { Weather, WeatherEffect } from './weather.ts';
import type { RequestRecord } from './request-log.ts';

export interface Pipeline {
  readonly scheme: 'http' | 'https';
  readonly credentials: readonly Credential[];
  readonly budget: Budget;
  readonly weather: Weather;
  readonly router: Router;
  readonly control: Control;
  readonly record: (record: RequestRecord) => (status: number) => void;
  readonly now: () => number;
  /** Resolves early when the server stops. */
  readonly wait: (ms: number) => Promise<void>;
  /** Called before a request is carried out: lets time take its effect on the tenant. */
  readonly settle: (now: number) => void;
}

/** Answers one request. Rejects never: what goes wrong here is a 500 of the envelope. */
export async function handleRequest(
  pipeline: Pipeline,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = callOf(pipeline, request);
  if (call.path === '/sandbox' || call.path.startsWith('/sandbox/'))
    return handleControl(pipeline, request, response, call);
  const finish = pipeline.record({ method: call.method, path: request.url ?? '/', at: call.now, status: 0 });
  const effects = pipeline.weather.strike(call.method, call.path, splitTarget(request.url ?? '/').search);
  await pipeline.wait(effectOf(effects, 'latency')?.ms ?? 0);
  if (response.destroyed || effectOf(effects, 'hang') !== undefined) return;
  if (effectOf(effects, 'reset') !== undefined) return void cutOff(request.socket);
  const { answer, headers } = await answerTo(pipeline, request, call, effects);
  if (effectOf(effects, 'drop') === undefined) finish(answer.status);
  await deliver(response, { answer, headers, now: pipeline.now(), effects, wait: pipeline.wait });
}

async function handleControl(
  pipeline: Pipeline,
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
): Promise<void> {
  const answer = await refusable(call, async () => {
    const token = request.headers['x-sandbox-control'];
    return pipeline.control(
      { ...call, segments: segmentsOf(call.path) },
      typeof token === 'string' ? token : '',
      await readText(request),
    );
  });
  await deliver(response, { answer, headers: {}, now: pipeline.now(), effects: [], wait: pipeline.wait });
}

interface Answered {
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
}

async function answerTo(
  pipeline: Pipeline,
  request: IncomingMessage,
  call: Call,
  effects: readonly WeatherEffect[],
): Promise<Answered> {
  const header = request.headers.authorization;
  const credential = credentialFor(header, pipeline.credentials);
  const now = pipeline.now();
  // An unknown id has a window of its own (API reference, 1.6).
  const reading = pipeline.budget.spend(credential?.clientId ?? `unknown ${header ?? ''}`, now);
  const answer = await refusable(call, async () => {
    if (reading.exceeded) return problem(429, call.self, 'The request limit of this API client is exhausted');
    if (credential === undefined) return unauthorized();
    return (
      stormAnswer(effects, call.self) ??
      carryOut(pipeline, request, { ...call, now, caller: credential.name }, credential)
    );
  });
  return { answer, headers: budgetHeaders(reading, now) };
}

async function carryOut(
  pipeline: Pipeline,
  request: IncomingMessage,
  call: Call,
  credential: Credential,
): Promise<Answer> {
  const text = await readText(request);
  const type = request.headers['content-type'];
  const complete = { ...call, segments: segmentsOf(call.path), body: fieldsOf(text, type), lists: listsOf(text, type) };
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(call.method);
  if (credential.scope === 'read' && !reads) return problem(403, call.self, 'This API client may only read');
  pipeline.settle(call.now);
  return pipeline.router(complete);
}

async function refusable(call: Call, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return problem(error.status, call.self, error.message);
    return problem(500, call.self, error instanceof Error ? error.message : 'Unknown failure');
  }
}

function callOf(pipeline: Pipeline, request: IncomingMessage): Call {
  const { path, search } = splitTarget(request.url ?? '/');
  const origin = `${pipeline.scheme}://${request.headers.host ?? 'localhost'}`;
  return {
    method: request.method ?? 'GET',
    path,
    segments: [],
    query: new URLSearchParams(search),
    origin,
    self: `${origin}${path}${search.replaceAll('[', '%5B').replaceAll(']', '%5D')}`,
    body: {},
    lists: {},
    caller: '',
    now: pipeline.now(),
  };
}
