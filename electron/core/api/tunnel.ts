import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

import { TransportError } from './transport-errors.ts';
import { bareHost } from './url.ts';

/** A TCP connection to the server through the proxy's CONNECT. Rejects with a `TransportError` of kind `proxy`. */
export async function openTunnel(proxy: URL, server: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${server.hostname}:${server.port === '' ? '443' : server.port}`;
  const request = (proxy.protocol === 'https:' ? https : http).request({
    host: bareHost(proxy.hostname),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: { host: target, ...proxyCredentials(proxy) },
    signal,
  });
  return new Promise((resolve, reject) => {
    request.once('error', (error) =>
      reject(new TransportError('proxy', `The proxy ${proxy.host} cannot be used (${nameOf(error)}).`)),
    );
    request.once('response', (answer) => reject(refusal(proxy, answer, request)));
    request.once('connect', (answer, socket: Socket, head: Buffer) => {
      if (answer.statusCode !== 200) return reject(refusal(proxy, answer, socket));
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function refusal(proxy: URL, answer: http.IncomingMessage, handle: { destroy(): unknown }): TransportError {
  handle.destroy();
  const status = answer.statusCode ?? 0;
  const why = status === 407 ? 'wants a user name and password, or refuses the given ones' : 'refused the connection';
  return new TransportError(
    'proxy',
    `The proxy ${proxy.host} ${why} (status ${status}).`,
    [502, 503, 504].includes(status),
  );
}

function proxyCredentials(proxy: URL): { readonly 'proxy-authorization'?: string } {
  if (proxy.username === '' && proxy.password === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function nameOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
