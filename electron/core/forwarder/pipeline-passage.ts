/** One request on its way, from its head to its record. */
import { isAllowed } from './access/addresses.ts';
import type { AccessVerdict, Granted, NeedsBody, Refused } from './access/verdict.ts';
import type { ClientExchange, UpstreamFailure, UpstreamRequest, UpstreamSink } from './exchange.ts';
import { collectBody } from './pipeline-collect.ts';
import type { Forward, ForwardedRequest, OwnAnswer, PipelineParts, Rules } from './pipeline-parts.ts';
import { Recorder } from './pipeline-record.ts';
import { isPlace, type Place } from './rate/places.ts';
import { refused } from './refusals.ts';
import type { Fields, Peer, Refusal, RequestFraming, ResponseFraming, ResponseHead } from './types.ts';
import type { UpstreamPlan } from './upstream/plan.ts';

export class Passage implements UpstreamSink {
  readonly #parts: PipelineParts;
  readonly #rules: Rules;
  readonly #exchange: ClientExchange;
  readonly #peer: Peer;
  readonly #record: Recorder;
  #request: ForwardedRequest | null = null;
  #upstream: UpstreamRequest | null = null;
  #place: Place | null = null;
  /** The body, where it had to be read before the instance may see the request. */
  #body: Buffer | null = null;
  #isHeadSent = false;
  #isOver = false;

  constructor(parts: PipelineParts, rules: Rules, exchange: ClientExchange, peer: Peer) {
    this.#parts = parts;
    this.#rules = rules;
    this.#exchange = exchange;
    this.#peer = peer;
    this.#record = new Recorder(parts, exchange, peer, rules.requestId(exchange.head));
    exchange.onAbort = () => this.#end('client', 'client_left');
    exchange.onDrain = () => this.#upstream?.resume();
  }

  decide(): void {
    const { head } = this.#exchange;
    if (this.#parts.isDraining()) return this.refuse(refused.draining);
    const decision = this.#rules.route(head);
    if (decision.kind === 'refuse') this.#record.instance = decision.instance;
    if (decision.kind === 'forward') this.#record.enter(decision.instance.name, decision.alias);
    const refusal = decision.kind === 'refuse' ? decision.refusal : this.#rules.policy(head, this.#peer, decision);
    if (refusal !== null) this.refuse(refusal);
    else if (decision.kind === 'redirect') this.#answer(this.#rules.redirect(decision.location, head, this.#record.id));
    else if (decision.kind === 'version') this.#answer(this.#rules.version(head, this.#record.id));
    else if (decision.kind === 'forward') this.#admit(decision);
  }

  /** An answer of ours instead of the instance's; when one has begun already, it is cut. */
  refuse(refusal: Refusal): void {
    if (this.#isOver) return;
    this.#upstream?.abort();
    this.#record.reason = refusal.reason;
    if (this.#isHeadSent) return this.#cut('instance', refusal.reason);
    if (refusal.close) this.#exchange.closeAfter?.();
    this.#answer(this.#rules.refusal(refusal, this.#exchange.head, this.#record.id));
  }

  // ---- before the instance ----

  #admit(decision: Forward): void {
    const { instance } = decision;
    const { client } = this.#peer;
    if (!isAllowed(instance.allow, client)) return this.refuse(notAllowed);
    const { ratePerSecond, burst } = instance.limits;
    const tooMany = this.#parts.rate.take(instance.id, client, ratePerSecond, burst);
    if (tooMany !== null) return this.refuse(tooMany);
    const verdict = this.#parts.access.check(instance.access, this.#exchange.head, this.#peer, instance.id);
    if (verdict instanceof Promise) void verdict.then((late) => this.#judge(decision, late), this.#broken);
    else this.#judge(decision, verdict);
  }

  #judge(decision: Forward, verdict: AccessVerdict): void {
    if (this.#isOver) return;
    this.#record.admitted();
    if (verdict.kind === 'refused') return this.refuse(verdict.refusal);
    const refusal = limitsRefuse(this.#exchange, decision);
    if (refusal !== null) return this.refuse(refusal);
    if (verdict.kind === 'needs_body') return this.#collect(decision, verdict);
    this.#queue(decision, verdict.fields);
  }

  #collect(decision: Forward, verdict: NeedsBody): void {
    const { body: most } = decision.instance.limits;
    const limit = most === 0 ? verdict.limitBytes : Math.min(most, verdict.limitBytes);
    this.#exchange.sendContinue();
    collectBody(this.#exchange, limit, paceOf(decision), {
      done: (body) => {
        const proof: Granted | Refused = verdict.verify(body);
        this.#body = body;
        if (proof.kind === 'refused') this.refuse(proof.refusal);
        else this.#queue(decision, proof.fields);
      },
      failed: (refusal) => (refusal === null ? this.#end('client', 'client_left') : this.refuse(refusal)),
    });
  }

  #queue(decision: Forward, identity: Fields): void {
    const { id, limits } = decision.instance;
    const place = this.#parts.places.enter(id, limits.concurrency, limits.queue, () =>
      this.#forward(decision, identity),
    );
    if (!isPlace(place)) return this.refuse(place);
    this.#place = place;
    if (!place.waits) this.#forward(decision, identity);
  }

  // ---- at the instance ----

  #forward(decision: Forward, identity: Fields): void {
    if (this.#isOver) return;
    this.#record.queued();
    const body = this.#body;
    const framing: RequestFraming =
      body === null ? this.#exchange.head.framing : { kind: 'length', length: body.length };
    const head = body === null ? this.#exchange.head : { ...this.#exchange.head, framing };
    const request = { head, peer: this.#peer, decision, requestId: this.#record.id, identity };
    this.#request = request;
    try {
      const plan = planOf(request, this.#rules, framing);
      this.#upstream = this.#parts.pool.send(this.#rules.target(decision.instance), plan, this);
    } catch (error) {
      return this.#broken(error);
    }
    if (body !== null) this.#sendCollected(body);
    else if (framing.kind !== 'none') this.#readBody(decision);
  }

  #sendCollected(body: Buffer): void {
    if (body.length > 0) this.#upstream?.write(body);
    this.#upstream?.end([]);
  }

  #readBody(decision: Forward): void {
    const { body: most } = decision.instance.limits;
    this.#exchange.readBody(
      {
        data: (chunk) => {
          if (most > 0 && this.#exchange.received > most) return this.refuse(tooLarge);
          if (this.#upstream?.write(chunk) === false) this.#exchange.pauseBody();
        },
        end: (trailers) => this.#upstream?.end(this.#rules.trailers(trailers, decision.instance)),
        failed: (refusal) => (refusal === null ? this.#end('client', 'client_left') : this.#failBody(refusal)),
      },
      paceOf(decision),
    );
  }

  #failBody(refusal: Refusal): void {
    if (this.#isHeadSent && !this.#isOver) {
      this.#upstream?.abort();
      this.#cut('client', refusal.reason);
    } else this.refuse(refusal);
  }

  // ---- what the instance says ----

  connected(connectMs: number): void {
    this.#record.connected(connectMs);
    this.#exchange.sendContinue();
  }

  information(status: number, fields: Fields): void {
    if (this.#request === null) return;
    this.#guard(() => this.#inform(status, fields));
  }

  head(head: ResponseHead): void {
    const request = this.#request;
    if (request === null) return;
    this.#record.answered(head.status);
    this.#guard(() => {
      const fields = this.#rules.responseFields(head, request);
      this.#exchange.sendHead(head.status, head.reason, fields, head.framing);
      this.#isHeadSent = true;
    });
  }

  data(chunk: Buffer): void {
    if (!this.#exchange.sendData(chunk)) this.#upstream?.pause();
  }

  end(trailers: Fields): void {
    const instance = this.#request?.decision.instance;
    this.#guard(() => {
      this.#exchange.sendEnd(instance === undefined ? [] : this.#rules.trailers(trailers, instance));
      this.#end('done', null);
    });
  }

  failed({ refusal }: UpstreamFailure): void {
    this.refuse(refusal);
  }

  switched(): void {
    this.refuse(notAllowed);
  }

  drain(): void {
    this.#exchange.resumeBody();
  }

  // ---- the end ----

  #inform(status: number, fields: Fields): void {
    if (this.#request !== null)
      this.#exchange.sendInformation(status, this.#rules.interimFields(fields, this.#request));
  }

  #answer(answer: OwnAnswer): void {
    this.#record.answered(answer.status);
    const isHead = this.#exchange.head.method === 'HEAD';
    this.#isHeadSent = true;
    this.#exchange.sendHead(answer.status, answer.reason, answer.fields, framingOf(answer, isHead));
    if (!isHead) this.#exchange.sendData(answer.body);
    this.#exchange.sendEnd([]);
    this.#end('cordon', this.#record.reason);
  }

  /** Nothing that a peer sends may end the process: what we cannot write is a failure of this one request. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#broken(error);
    }
  }

  readonly #broken = (error: unknown): void => {
    this.#parts.onTrouble(error);
    this.refuse(internal);
  };

  #cut(by: 'instance' | 'client', reason: string): void {
    this.#exchange.abort();
    this.#end(by, reason);
  }

  #end(by: 'done' | 'client' | 'instance' | 'cordon', reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (by !== 'done') this.#upstream?.abort();
    this.#place?.leave();
    this.#record.end(by, reason);
  }
}

const notAllowed: Refusal = {
  status: 403,
  reason: 'address_not_allowed',
  proxyError: 'http_request_denied',
  detail: 'This address may not use the instance.',
  close: false,
};

const tooLarge: Refusal = {
  status: 413,
  reason: 'body_too_large',
  proxyError: 'http_request_error',
  detail: 'The body is too large.',
  close: true,
};

const internal: Refusal = {
  status: 500,
  reason: 'internal',
  proxyError: 'proxy_internal_error',
  detail: 'The request could not be handled.',
  close: true,
};

/** Method and announced size. */
function limitsRefuse(exchange: ClientExchange, { instance }: Forward): Refusal | null {
  const { method, framing } = exchange.head;
  if (instance.methods !== null && !instance.methods.includes(method)) {
    const fields = ['Allow', instance.methods.join(', ')];
    const detail = 'The instance does not take this method.';
    return { status: 405, reason: 'method', proxyError: 'http_request_denied', detail, fields, close: false };
  }
  const { body } = instance.limits;
  return body > 0 && framing.kind === 'length' && framing.length > body ? tooLarge : null;
}

function paceOf({ instance }: Forward): { readonly minRate: number; readonly idleMs: number } {
  return { minRate: instance.timeouts.minRate, idleMs: instance.timeouts.idleS * 1000 };
}

function planOf(request: ForwardedRequest, rules: Rules, framing: RequestFraming): UpstreamPlan {
  const { timeouts } = request.decision.instance;
  return {
    method: request.head.method,
    head: rules.requestHead(request),
    framing,
    upgrade: false,
    connectMs: timeouts.connectS * 1000,
    firstByteMs: timeouts.firstByteS * 1000,
    idleMs: timeouts.idleS * 1000,
    limits: rules.config.limits,
  };
}

function framingOf(answer: OwnAnswer, isHead: boolean): ResponseFraming {
  return isHead ? { kind: 'none' } : { kind: 'length', length: answer.body.length };
}
