/** Who is at the other end of a connection. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { plainAddress } from './access/addresses.ts';
import { clientCertificateOf } from './tls/client-certificate.ts';
import type { Peer } from './message-types.ts';

/** The same for a socket and for the TLS that runs over it. */
export function keyOf(socket: Socket): string {
  return `${socket.remoteAddress ?? ''} ${String(socket.remotePort ?? 0)}`;
}

/** `address`: as `plainAddress` gives it. */
export function peerOf(socket: TLSSocket, address: string): Peer {
  return {
    address,
    port: socket.remotePort ?? 0,
    client: address,
    localPort: socket.localPort ?? 0,
    localAddress: plainAddress(socket.localAddress ?? '') ?? undefined,
    certificate: clientCertificateOf(socket),
  };
}
