import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { CordonError } from '#shared/contract/errors.ts';

import { makeAuthority, selfSigned, type Authority, type Pair } from './testing/certificates.ts';
import { errorOf, isolateRequest, openBench, versionRequest } from './testing/bench.ts';
import { good, startServer, startTcpServer, type TestServer } from './testing/server.ts';
import type { ApiClient, ApiRequest } from './types.ts';
import { issueWriteToken } from './write-token.ts';

const { serving, clientOf, onClose, closeAll } = openBench();
let authority: Authority;
let trusted: Pair;

beforeAll(async () => {
  authority = await makeAuthority();
  trusted = await authority.issue('localhost');
});

const liveToken = () => issueWriteToken('intent-1', 'test');

afterEach(closeAll);

function servingWith(pair: Pair): Promise<TestServer> {
  return serving((_request, response) => good(response), pair);
}

function trusting(): { readonly extraCa: readonly string[] } {
  return { extraCa: [authority.cert] };
}

function failureOf(client: ApiClient, request: ApiRequest = versionRequest): Promise<CordonError> {
  return errorOf(client.call(request, { token: liveToken() }));
}

describe('TLS', () => {
  test('a certificate of a trusted authority is accepted, and the connection is used again', async () => {
    const server = await servingWith(trusted);
    const client = clientOf(server.url, trusting());
    await client.call(versionRequest);
    await client.call(versionRequest);
    expect(server.connections()).toBe(1);
  });

  test('an unknown authority is refused before anything is sent', async () => {
    const server = await servingWith(trusted);
    const error = await failureOf(clientOf(server.url));
    expect([error.code, error.message]).toEqual([
      'tls',
      'The certificate of localhost comes from an authority that this computer does not know, or the server does not send its whole chain.',
    ]);
    expect(server.requests).toEqual([]);
  });

  test('an authority that only the system knows is accepted, and its store is read once', async () => {
    const server = await servingWith(trusted);
    let read = 0;
    const system = (): readonly string[] => {
      read += 1;
      return [authority.cert];
    };
    const client = clientOf(server.url, { systemCa: system });
    await client.call(versionRequest);
    for (const _ of [1, 2]) await client.call(isolateRequest, { token: liveToken() });
    expect(server.requests).toHaveLength(3);
    expect(read).toBe(1);
  });

  test('the store of the system is not read while Node knows the authority, and not for what it cannot cure', async () => {
    const never = (): never => {
      throw new Error('The store was read.');
    };
    const server = await servingWith(trusted);
    await clientOf(server.url, { ...trusting(), systemCa: never }).call(versionRequest);
    const expired = await servingWith(await authority.issue('localhost', new Date(Date.now() - 3_600_000)));
    expect((await failureOf(clientOf(expired.url, { ...trusting(), systemCa: never }))).message).toContain('expired');
  });

  test('a store of the system that cannot be read trusts nobody', async () => {
    const server = await servingWith(trusted);
    const broken = (): never => {
      throw new Error('no keychain');
    };
    expect((await failureOf(clientOf(server.url, { systemCa: broken }))).code).toBe('tls');
    expect(server.requests).toEqual([]);
  });

  test('a self-signed certificate is refused', async () => {
    const server = await servingWith(await selfSigned('localhost'));
    const error = await failureOf(clientOf(server.url));
    expect([error.code, error.message]).toEqual([
      'tls',
      'The certificate of localhost is self-signed: nobody else vouches for it.',
    ]);
  });

  test('an expired certificate is refused', async () => {
    const server = await servingWith(await authority.issue('localhost', new Date(Date.now() - 60_000)));
    const error = await failureOf(clientOf(server.url, trusting()));
    expect([error.code, error.message]).toEqual(['tls', 'The certificate of localhost has expired.']);
  });

  test('a certificate of another host is refused with the names that it is for', async () => {
    const server = await servingWith(await authority.issue('api.example.com'));
    const error = await failureOf(clientOf(server.url, trusting()));
    expect([error.code, error.message]).toEqual(['tls', 'The certificate is for api.example.com, not for localhost.']);
  });

  test('a change that failed there certainly never left', async () => {
    const server = await servingWith(trusted);
    expect((await failureOf(clientOf(server.url), isolateRequest)).code).toBe('tls');
  });

  test('any certificate is accepted only where that was chosen', async () => {
    const server = await servingWith(await selfSigned('elsewhere.example'));
    await clientOf(server.url, { insecure: true }).call(versionRequest);
    expect(server.requests).toHaveLength(1);
  });

  test('a server that speaks plain HTTP is recognised', async () => {
    const plain = await startServer((_request, response) => good(response));
    onClose(plain.close);
    const error = await failureOf(clientOf(`https://localhost:${plain.port}`));
    expect([error.code, error.message]).toEqual(['tls', `localhost:${plain.port} does not speak TLS.`]);
  });
});

interface Proxy {
  readonly url: string;
  readonly asked: readonly { readonly target: string; readonly credentials: string | undefined }[];
}

/** A real CONNECT proxy that leads every name to one port of this computer. */
async function proxyTo(port: number, refuse?: string): Promise<Proxy> {
  const asked: { target: string; credentials: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push({ target: request.url ?? '', credentials: request.headers['proxy-authorization'] });
    if (refuse !== undefined) return socket.end(`HTTP/1.1 ${refuse}\r\nContent-Length: 0\r\n\r\n`);
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    sockets.add(through.on('error', () => socket.destroy()));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onClose(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

describe('a proxy', () => {
  const url = 'https://api.example.com';

  test('is asked for a tunnel, and the service behind it is verified end to end', async () => {
    const server = await servingWith(await authority.issue('api.example.com'));
    const proxy = await proxyTo(server.port);
    const client = clientOf(url, { ...trusting(), proxyEnvironment: { HTTPS_PROXY: proxy.url } });
    await client.call(versionRequest);
    await client.call(versionRequest);
    expect(proxy.asked).toEqual([{ target: 'api.example.com:443', credentials: undefined }]);
    expect(server.headers.map((headers) => headers.host)).toEqual(['api.example.com', 'api.example.com']);
    expect(server.headers[0]).not.toHaveProperty('proxy-authorization');
  });

  test('that leads to another server is found out by the certificate', async () => {
    const proxy = await proxyTo((await servingWith(await authority.issue('evil.example'))).port);
    const client = clientOf(url, { ...trusting(), proxyEnvironment: { https_proxy: proxy.url } });
    expect((await failureOf(client)).message).toBe('The certificate is for evil.example, not for api.example.com.');
  });

  test('gets its own credentials', async () => {
    const server = await servingWith(await authority.issue('api.example.com'));
    const proxy = await proxyTo(server.port);
    const withName = proxy.url.replace('://', '://us%40er:pa%3Ass@');
    await clientOf(url, { ...trusting(), proxyEnvironment: { ALL_PROXY: withName } }).call(versionRequest);
    expect(proxy.asked[0]?.credentials).toBe(`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`);
  });

  test('that refuses is named, and a change certainly never left', async () => {
    const proxy = await proxyTo(0, '407 Proxy Authentication Required');
    const error = await failureOf(clientOf(url, { proxyEnvironment: { HTTPS_PROXY: proxy.url } }), isolateRequest);
    expect([error.code, error.message]).toEqual([
      'proxy',
      `The proxy ${new URL(proxy.url).host} wants a user name and password, or refuses the given ones (status 407).`,
    ]);
    expect(proxy.asked).toHaveLength(1);
  });

  test('that fails for the moment is tried again by a reading', async () => {
    const proxy = await proxyTo(0, '503 Service Unavailable');
    await failureOf(clientOf(url, { proxyEnvironment: { HTTPS_PROXY: proxy.url } }));
    expect(proxy.asked).toHaveLength(5);
  });

  test('that is not there is named', async () => {
    const gone = await startServer(() => {});
    await gone.close();
    const error = await failureOf(clientOf(url, { proxyEnvironment: { HTTPS_PROXY: gone.url } }));
    expect([error.code, error.message]).toEqual([
      'proxy',
      `The proxy 127.0.0.1:${gone.port} cannot be used (ECONNREFUSED).`,
    ]);
  });

  test('that never answers runs into the connect timeout', async () => {
    const silent = await startTcpServer(() => {});
    onClose(silent.close);
    const proxyEnvironment = { HTTPS_PROXY: `http://127.0.0.1:${silent.port}` };
    const client = clientOf(url, { proxyEnvironment, timeouts: { connectMs: 100 } });
    expect((await failureOf(client, isolateRequest)).code).toBe('connect_timeout');
  });

  test('is left out for loopback addresses', async () => {
    const server = await servingWith(trusted);
    await clientOf(server.url, { ...trusting(), proxyEnvironment: { HTTPS_PROXY: 'http://127.0.0.1:1' } }).call(
      versionRequest,
    );
    expect(server.requests).toHaveLength(1);
  });
});
