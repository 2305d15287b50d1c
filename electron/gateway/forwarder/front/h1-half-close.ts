/**
 * A client that sent its FIN after a whole request either waits for the answer (G30) or is gone: TCP does not tell, unless
 * something is sent to it. An interim answer is what may be sent; the second one fails when nobody is there.
 */
import type { Socket } from 'node:net';

import type { H1Exchange } from './h1-exchange.ts';

const firstProbeMs = 300;
const secondProbeMs = 500;
/** An answer that has begun has no room for a probe. Silence that long after the FIN is taken as leaving. */
const quietMs = 700;

export class HalfClose {
	readonly #socket: Socket;
	readonly #exchange: H1Exchange;
	readonly #timers: NodeJS.Timeout[];
	readonly #writtenBefore: number;

	constructor(socket: Socket, exchange: H1Exchange) {
		this.#socket = socket;
		this.#exchange = exchange;
		this.#writtenBefore = socket.bytesWritten;
		this.#timers = [firstProbeMs, secondProbeMs].map((ms) => setTimeout(() => exchange.probe(), ms));
		this.#timers.push(setTimeout(() => this.#giveUp(), quietMs));
	}

	stop(): void {
		for (const timer of this.#timers) clearTimeout(timer);
	}

	#giveUp(): void {
		const waits = this.#socket.writableLength > 0;
		const isQuiet = !waits && this.#socket.bytesWritten === this.#writtenBefore;
		// A probe that has not gone out by now never will: TLS keeps the failure of a write of its own to itself, and then writes no more.
		if (this.#exchange.isAnswering ? isQuiet : waits) this.#socket.destroy();
	}
}
