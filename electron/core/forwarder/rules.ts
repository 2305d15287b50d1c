/** The configuration, compiled once: every request that begins under it uses it to its end. */
import { randomUUID } from 'node:crypto';
import { exposureOf } from '#shared/model/server-parameter.ts';
import { writeRequestHead } from './http1/write.ts';
import type { Rules } from './pipeline-parts.ts';
import { refused } from './refusals.ts';
import type { Decision, ForwarderConfig, ForwardedInstance, RequestHead } from './types.ts';
import { targetOf } from './upstream/plan.ts';

const hop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'upgrade',
  'trailer',
  'expect',
  'content-length',
  'proxy-connection',
  'x-request-uri',
  'x-forwarded-for',
]);

export function compileRules(config: ForwarderConfig): Rules {
  const targets = new Map(config.instances.map((one) => [one, targetOf(one)] as const));
  const byName = new Map(config.instances.map((one) => [one.name, one] as const));
  const strip = (fields: readonly string[]) => {
    const kept: string[] = [];
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] ?? '';
      if (!hop.has(name.toLowerCase())) kept.push(name, fields[at + 1] ?? '');
    }
    return kept;
  };
  return {
    config,
    route: (head) => route(head, byName, config),
    policy: () => null,
    requestId: () => randomUUID(),
    target: (instance) => targets.get(instance) ?? targetOf(instance),
    requestHead: ({ head, decision, peer, requestId }) => {
      const fields = strip(head.fields);
      fields.push(
        'X-Request-URI',
        head.target,
        'X-Forwarded-For',
        peer.client,
        'X-Forwarded-Proto',
        'https',
        'Via',
        '1.1 cordon',
        'X-Request-Id',
        requestId,
      );
      if (head.framing.kind === 'length') fields.push('Content-Length', String(head.framing.length));
      if (head.framing.kind === 'chunked') fields.push('Transfer-Encoding', 'chunked');
      return writeRequestHead(head.method, decision.target, fields);
    },
    responseFields: (head, request) => [...strip(head.fields), 'X-Request-Id', request.requestId],
    interimFields: (fields) => strip(fields),
    trailers: () => [],
    refusal: (refusal, _head, requestId) => ({
      status: refusal.status,
      reason: '',
      fields: ['Content-Type', 'text/plain', 'X-Request-Id', requestId, ...(refusal.fields ?? [])],
      body: Buffer.from(`${refusal.detail}\n`),
    }),
    redirect: (location) => ({ status: 308, reason: '', fields: ['Location', location], body: Buffer.alloc(0) }),
    version: () => ({ status: 200, reason: 'OK', fields: [], body: Buffer.from('{"version":"6.12"}') }),
  };
}

function route(head: RequestHead, byName: ReadonlyMap<string, ForwardedInstance>, config: ForwarderConfig): Decision {
  const prefix = '/instance/execute/';
  if (!head.target.startsWith(prefix)) return { kind: 'refuse', refusal: refused.noRoute, instance: null };
  const rest = head.target.slice(prefix.length);
  const end = rest.search(/[/?]/);
  const name = end === -1 ? rest : rest.slice(0, end);
  const instance = byName.get(name);
  if (instance === undefined) return { kind: 'refuse', refusal: refused.unknown, instance: null };
  if (!exposureOf(config.parameters, name).exposed)
    return { kind: 'refuse', refusal: refused.notExposed, instance: name };
  const tail = end === -1 ? '' : rest.slice(end);
  return {
    kind: 'forward',
    instance,
    target: tail.startsWith('/') ? tail : `/${tail}`,
    prefix: prefix + name,
    alias: null,
  };
}
