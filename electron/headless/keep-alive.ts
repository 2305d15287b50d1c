import type { WebSocket } from 'ws';

import type { Clock } from '#core/base/ports.ts';

/** Asks every page for a sign of life and cuts the ones that gave none since the last time. Ends with the signal. */
export async function keepAlive(
  wires: () => Iterable<WebSocket>,
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const answered = new WeakSet<WebSocket>();
  const asked = new WeakSet<WebSocket>();
  while (!signal.aborted) {
    for (const wire of wires()) check(wire, asked, answered);
    try {
      await clock.sleep(everyMs, signal);
    } catch {
      return;
    }
  }
}

function check(wire: WebSocket, asked: WeakSet<WebSocket>, answered: WeakSet<WebSocket>): void {
  if (!asked.has(wire)) {
    asked.add(wire);
    wire.on('pong', () => answered.add(wire));
  } else if (!answered.has(wire)) {
    wire.terminate();
    return;
  }
  answered.delete(wire);
  if (wire.readyState === wire.OPEN) wire.ping();
}
