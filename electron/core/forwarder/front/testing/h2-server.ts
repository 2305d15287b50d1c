/** A TLS server that hands every connection to HTTP/2, for tests of it alone. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import type { ClientExchange } from '../../exchange.ts';
import { defaultLimits } from '../../limits.ts';
import { startTicker } from '../../ticker.ts';
import type { TestCredentials } from '../../tls/testing/credentials.ts';
import type { Refusal, ServerLimits } from '../../types.ts';
import { acceptHttp2, type Http2Connection } from '../h2.ts';

export interface Http2TestServer {
  readonly port: number;
  readonly connections: readonly Http2Connection[];
  /** Heads that broke a rule, by reason. */
  readonly refused: readonly string[];
  readonly handled: readonly ClientExchange[];
  close(): Promise<void>;
}

export async function http2TestServer(
  credentials: TestCredentials,
  handle: (exchange: ClientExchange) => void,
  limits: Partial<ServerLimits> = {},
): Promise<Http2TestServer> {
  const connections: Http2Connection[] = [];
  const refused: string[] = [];
  const handled: ClientExchange[] = [];
  const ticker = startTicker([80]);
  const server = createServer(
    { key: credentials.key, cert: credentials.certificate, ALPNProtocols: ['h2'] },
    (socket) => {
      const connection = acceptHttp2(socket, {
        limits: { ...defaultLimits, ...limits },
        ticker,
        graceMs: 40,
        stallMs: 60,
        peer: { address: '127.0.0.1', port: 0, client: '127.0.0.1', localPort: 0, certificate: null },
        tlsMs: 1,
        handle: (exchange) => {
          handled.push(exchange);
          handle(exchange);
        },
        refuse: (exchange, refusal: Refusal) => {
          refused.push(refusal.reason);
          exchange.sendHead(refusal.status, '', [], { kind: 'none' });
          exchange.sendEnd([]);
        },
        closed: () => {},
      });
      connections.push(connection);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server always has an address of this form.
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const connection of connections) connection.destroy();
    const closing = once(server, 'close');
    server.close();
    await closing;
    ticker.stop();
  };
  return { port, connections, refused, handled, close };
}
