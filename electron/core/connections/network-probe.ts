import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import tls, { type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';

import { CordonError } from '#shared/contract/errors.ts';

import { tlsProblem } from '../api/tls-problems.ts';
import { TransportError, transportFailure } from '../api/transport-errors.ts';
import { contextWithSystem, isUnknownAuthority, systemCa } from '../api/trust.ts';
import { openTunnel } from '../api/tunnel.ts';
import { bareHost } from '../api/url.ts';
import type { Handshake, Probe } from './probe.ts';

/** Real time, because sockets live in it; the same as a client's patience. */
const timeoutMs = 10_000;

/** The real network. */
export const networkProbe: Probe = {
  resolve: (host, signal) =>
    looking(new URL(`https://${net.isIPv6(host) ? `[${host}]` : host}`), signal, async (within) => {
      const found = await Promise.race([lookup(host, { all: true }), aborted(within)]);
      return found.map(({ address }) => address);
    }),
  connect: (server, signal) =>
    looking(server, signal, async (within) => {
      const socket = net.connect({ host: bareHost(server.hostname), port: portOf(server) });
      await ready(socket, 'connect', within);
      socket.destroy();
    }),
  handshake: (server, proxy, signal) =>
    looking(server, signal, async (within) => {
      const socket = await openTls(server, proxy, within);
      try {
        return describe(socket, server);
      } finally {
        socket.destroy();
      }
    }),
};

/** Limits the time and turns what Node throws into an entry of the table. */
async function looking<T>(server: URL, signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || error instanceof CordonError) throw error;
    const slow = new TransportError(
      'connect_timeout',
      `${server.host} did not answer within ${timeoutMs / 1000} seconds.`,
    );
    throw transportFailure(late.aborted ? slow : error, 'connecting', server).error;
  }
}

/** Like a client: the system's store is asked when the authorities that Node knows are not enough. */
async function openTls(server: URL, proxy: URL | null, signal: AbortSignal): Promise<TLSSocket> {
  const first = await shakeHands(server, proxy, signal);
  if (first.authorized || !isUnknownAuthority(String(first.authorizationError))) return first;
  first.destroy();
  return shakeHands(server, proxy, signal, contextWithSystem(systemCa));
}

/** Judges nothing: what is wrong with the certificate is read from the socket afterwards. */
async function shakeHands(
  server: URL,
  proxy: URL | null,
  signal: AbortSignal,
  secureContext?: SecureContext,
): Promise<TLSSocket> {
  const host = bareHost(server.hostname);
  const way = proxy === null ? { host, port: portOf(server) } : { socket: await openTunnel(proxy, server, signal) };
  const socket = tls.connect({
    ...way,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
    ...(secureContext !== undefined && { secureContext }),
  });
  await ready(socket, 'secureConnect', signal);
  return socket;
}

function describe(socket: TLSSocket, server: URL): Handshake {
  const found = socket.getPeerCertificate();
  const certificate = {
    subject: nameOf(found.subject),
    issuer: nameOf(found.issuer),
    validFrom: isoTime(found.valid_from),
    validTo: isoTime(found.valid_to),
    fingerprint256: found.fingerprint256,
  };
  return { certificate, problem: problemOf(socket, found, server) };
}

function problemOf(socket: TLSSocket, found: PeerCertificate, server: URL): string | null {
  if (socket.authorized) return null;
  // Node keeps the code alone; the error with the names in it is made again.
  const wrongName = tls.checkServerIdentity(bareHost(server.hostname), found);
  const code = String(socket.authorizationError);
  return tlsProblem(wrongName, code, server) ?? `The certificate of ${server.hostname} cannot be trusted (${code}).`;
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  const text = name?.CN ?? name?.O ?? '';
  return Array.isArray(text) ? text.join(', ') : text === '' ? '(no name)' : text;
}

/** "Mar  1 12:00:00 2026 GMT" as ISO 8601. */
function isoTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

async function ready(socket: net.Socket, event: string, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal });
    socket.on('error', () => {});
  } catch (error) {
    // Errors that follow the first one have nobody left to tell.
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
