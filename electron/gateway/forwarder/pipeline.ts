/** The way of a request: what is asked of it, in which order, and who answers (route description, 6.3). */
import { clientAddress } from './access/addresses.ts';
import type { ClientExchange } from './exchange.ts';
import type { PipelineParts } from './pipeline-parts.ts';
import { Passage } from './pipeline-passage.ts';
import type { Refusal } from './message-types.ts';

export interface Pipeline {
  handle(exchange: ClientExchange): void;
  /** A head that broke a rule. */
  refuse(exchange: ClientExchange, refusal: Refusal): void;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  return {
    handle: (exchange) => begin(parts, exchange).decide(),
    refuse: (exchange, refusal) => begin(parts, exchange).refuse(refusal),
  };
}

function begin(parts: PipelineParts, exchange: ClientExchange): Passage {
  const rules = parts.rules();
  const { peer, head } = exchange;
  const { trustedProxies } = rules.config;
  const client = trustedProxies.length === 0 ? peer.client : clientAddress(peer.address, head.fields, trustedProxies);
  return new Passage(parts, rules, exchange, client === peer.client ? peer : { ...peer, client });
}
