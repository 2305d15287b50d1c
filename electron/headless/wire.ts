import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';

import type { AppRouter } from '#core/app/router.ts';

/** Connects accepted pages to the application. A page that goes away ends its streams and cancels its calls. */
export function createWire(router: AppRouter): (socket: WebSocket) => void {
  const handler = new RPCHandler(router);
  return (socket) => void handler.upgrade(socket, { context: {} });
}
