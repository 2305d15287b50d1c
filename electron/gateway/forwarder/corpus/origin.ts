/** An instance that writes down every byte it gets and answers with exactly the bytes it is told. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { createBodyReader } from '../http1/body.ts';
import type { BodyReader, Fields, RequestHead } from '../message-types.ts';
import { parseRequestHead } from '../http1/request-head.ts';
import { defaultLimits } from '../limits.ts';

/** Latin-1 to send, milliseconds to wait, or an end of the connection. */
export type Step = string | number | 'close' | 'reset';

export interface Recorded {
	readonly method: string;
	readonly target: string;
	readonly fields: Fields;
	body: string;
	trailers: Fields;
	isWhole: boolean;
	/** Which connection brought it, counted from the first. */
	readonly connection: number;
}

export const plainAnswer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

export interface RecordingOrigin {
	readonly port: number;
	/** As they were read; a request that cannot be read is not here. */
	readonly requests: readonly Recorded[];
	/** Every byte since `reset`. */
	readonly raw: string;
	/** Connections since the start, and those open now. */
	readonly accepted: number;
	readonly open: number;
	/** What each request is answered with. */
	answer: readonly Step[];
	/** Answers at the end of the head already, not of the body. */
	answersEarly: boolean;
	reset(): void;
	/** Until so many connections are open; `false` when it does not come to it in time. */
	hasOpen(count: number, withinMs: number): Promise<boolean>;
	stop(): Promise<void>;
}

class Origin implements RecordingOrigin {
	requests: Recorded[] = [];
	raw = '';
	accepted = 0;
	answer: readonly Step[] = [plainAnswer];
	answersEarly = false;
	readonly #sockets = new Set<Socket>();
	readonly #server: Server;

	constructor() {
		this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#serve(socket));
	}

	async listen(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get port(): number {
		// A TCP server that listens has an address of this shape.
		return (this.#server.address() as AddressInfo).port;
	}

	get open(): number {
		return this.#sockets.size;
	}

	reset(): void {
		this.requests = [];
		this.raw = '';
		this.answer = [plainAnswer];
		this.answersEarly = false;
	}

	async hasOpen(count: number, withinMs: number): Promise<boolean> {
		const until = Date.now() + withinMs;
		while (this.open !== count && Date.now() < until) await sleep(5);
		return this.open === count;
	}

	async stop(): Promise<void> {
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
		await once(this.#server, 'close');
	}

	#serve(socket: Socket): void {
		const connection = this.accepted++;
		this.#sockets.add(socket);
		let waiting = Buffer.alloc(0);
		let current: { readonly record: Recorded; readonly reader: BodyReader } | null = null;
		const done = (): void => {
			current = null;
			if (!this.answersEarly) void this.#reply(socket);
		};
		const begin = (head: RequestHead): void => {
			const { method, target, fields, framing } = head;
			const record: Recorded = { method, target, fields, body: '', trailers: [], isWhole: false, connection };
			this.requests.push(record);
			const reader = createBodyReader(framing, defaultLimits, 'request', {
				data: (slice) => (record.body += slice.toString('latin1')),
				end: (trailers) => (record.trailers = trailers),
				failed: () => {},
			});
			if (this.answersEarly) void this.#reply(socket);
			current = { record, reader };
		};
		/** Whether there may be more in what waits. */
		const step = (): boolean => {
			if (current === null) {
				const parsed = parseRequestHead(waiting, 0, waiting.length, defaultLimits);
				// What we would not take ourselves may come from another forwarder: it is answered so that the matter shows.
				if (parsed.kind === 'refused') void this.#reply(socket, true);
				if (parsed.kind !== 'head') return false;
				waiting = waiting.subarray(parsed.next);
				begin(parsed.head);
				return true;
			}
			waiting = waiting.subarray(current.reader.push(waiting, 0));
			if (current.reader.state !== 'done') return false;
			current.record.isWhole = true;
			done();
			return waiting.length > 0;
		};
		socket.on('data', (chunk) => {
			this.raw += chunk.toString('latin1');
			waiting = Buffer.concat([waiting, chunk]);
			while (step());
		});
		socket.on('error', () => {}); // `close` follows
		socket.on('end', () => socket.end());
		socket.on('close', () => this.#sockets.delete(socket));
	}

	async #reply(socket: Socket, isLast = false): Promise<void> {
		for (const step of isLast ? [plainAnswer, 'close'] : this.answer) {
			if (socket.destroyed) return;
			if (typeof step === 'number') await sleep(step);
			else if (step === 'close') socket.end();
			else if (step === 'reset') socket.resetAndDestroy();
			else socket.write(Buffer.from(step, 'latin1'));
		}
	}
}

/** Whoever starts it stops it. */
export async function startOrigin(): Promise<RecordingOrigin> {
	const origin = new Origin();
	await origin.listen();
	return origin;
}
