/**
 * HTTP/2 in front: one session a connection, each stream an exchange (RFC 9113; route description, 3.4).
 *
 * What nghttp2 decides before we see it: fields with forbidden bytes in their values are left out, a head above the limits
 * is reset (ENHANCE_YOUR_CALM), and of several endless answers the first get most of a small window that a client gives the
 * whole connection. A stream's own window is 64 KiB: that much of each body may wait in memory, a hundred times over. While a
 * connection carries few streams, among them a large body that is being read, it is wider; see `Windows`.
 */
import {
	constants,
	performServerHandshake,
	type ServerHttp2Session,
	type ServerHttp2Stream,
	type Settings,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';

import type { ClientExchange } from '../exchange.ts';
import type { Ticked, Ticker } from '../ticker.ts';
import type { Peer, Refusal } from '../message-types.ts';
import type { ServerLimits } from '../types.ts';
import { Http2Exchange } from './h2-exchange.ts';
import { readHttp2Head } from './h2-head.ts';

export interface Http2Deps {
	readonly limits: ServerLimits;
	readonly ticker: Ticker;
	readonly peer: Peer;
	/** How long a client may be too slow with a body before that counts. */
	readonly graceMs: number;
	/** Milliseconds of the TLS handshake, told with the first request. */
	readonly tlsMs: number | null;
	handle(exchange: ClientExchange): void;
	/** A head that broke a rule: to be answered with this and nothing else. */
	refuse(exchange: ClientExchange, refusal: Refusal): void;
	/** The connection is gone. */
	closed(): void;
}

export interface Http2Connection {
	/** Streams that run. */
	readonly running: number;
	/** No new streams (GOAWAY); those that run may end, then the connection closes. */
	drain(): void;
	/** At once. */
	destroy(): void;
}

/** Serves a connection that chose `h2`. Takes over the socket, its errors included. */
export function acceptHttp2(socket: TLSSocket, deps: Http2Deps): Http2Connection {
	const session = performServerHandshake(socket, sessionOptions(deps.limits));
	// A client that sends no more can neither ask nor open a window: half a connection is none.
	// TLS keeps the failure of a write of its own to itself, and then the session waits for that write forever.
	socket.on('end', () => {
		session.destroy();
		setImmediate(() => socket.destroy());
	});
	return new Connection(session, deps);
}

function sessionOptions(limits: ServerLimits): Parameters<typeof performServerHandshake>[1] {
	return {
		settings: {
			enablePush: false,
			maxConcurrentStreams: limits.streams,
			maxHeaderListSize: limits.headBytes,
		},
		// Fields, and the pseudo-fields beside them.
		maxHeaderListPairs: limits.fields + 8,
		// One message may hold a field twice that should stand once: it is passed on as it came.
		strictSingleValueFields: false,
		maxSessionInvalidFrames: 100,
		// nghttp2's own brake stands behind ours: ours says why, its own does not.
		streamResetBurst: limits.resetsPer10s * 4,
		streamResetRate: Math.ceil(limits.resetsPer10s / 10),
		maxSessionMemory: 32,
	};
}

const usualBytes = 65_535;
/** With the usual window a large upload costs the processor twice to three times as much: it waits after every few frames. */
const wideBytes = 1 << 20;
const wideStreams = 8;
/** So few may run when the window widens. */
const fewStreams = 4;

/**
 * How much of a body a client may send before we read it: never more than eight wide windows or a hundred usual ones. nghttp2
 * holds a client to the smaller number of streams as soon as it is told, to the wider window only when it has agreed to both.
 */
class Windows {
	readonly #session: ServerHttp2Session;
	readonly #streams: number;
	#isWide = false;
	#isPending = false;

	constructor(session: ServerHttp2Session, streams: number) {
		this.#session = session;
		this.#streams = streams;
	}

	widen(running: number): void {
		if (this.#isWide || this.#isPending || running > fewStreams || this.#session.destroyed) return;
		this.#isWide = true;
		// What is received counts as taken from the connection's window at once; only a stream's own waits for its reader.
		this.#session.setLocalWindowSize(4 * wideBytes);
		this.#tell({ initialWindowSize: wideBytes, maxConcurrentStreams: Math.min(wideStreams, this.#streams) });
	}

	/** Before the last stream that a wide window allows: a client that has many gets room for them. */
	opening(running: number): void {
		if (running < wideStreams - 1 || !this.#isWide || this.#isPending || this.#session.destroyed) return;
		this.#isWide = false;
		this.#tell({ initialWindowSize: usualBytes, maxConcurrentStreams: this.#streams });
	}

	#tell(settings: Settings): void {
		this.#isPending = true;
		this.#session.settings(settings, () => (this.#isPending = false));
	}
}

class Connection implements Http2Connection, Ticked {
	readonly #session: ServerHttp2Session;
	readonly #deps: Http2Deps;
	readonly #exchanges = new Map<ServerHttp2Stream, Http2Exchange>();
	readonly #windows: Windows;
	#requests = 0;
	#resets: number[] = [];
	/** When a connection without streams ends. Pings and settings do not keep it: only streams do. */
	#deadline: number;
	#isDraining = false;
	/** Being cut off for its resets. */
	#isCalmed = false;

	constructor(session: ServerHttp2Session, deps: Http2Deps) {
		this.#session = session;
		this.#deps = deps;
		this.#windows = new Windows(session, deps.limits.streams);
		this.#deadline = deps.ticker.after(deps.limits.headMs);
		session.on('stream', (stream, _headers, flags, ...rest: unknown[]) => this.#open(stream, flags, rest[0]));
		session.once('remoteSettings', () => (this.#deadline = deps.ticker.after(deps.limits.keepAliveMs)));
		// What went wrong on the wire ends in `close`; there is nobody to tell but the peer, and nghttp2 told it.
		session.on('error', () => {});
		session.on('close', () => this.#closed());
		deps.ticker.add(this);
	}

	get running(): number {
		return this.#exchanges.size;
	}

	drain(): void {
		if (this.#isDraining) return;
		this.#isDraining = true;
		if (!this.#session.destroyed) this.#session.close();
	}

	destroy(): void {
		this.#session.destroy();
	}

	tick(now: number): void {
		if (this.#exchanges.size === 0 && now >= this.#deadline) this.#expire();
		for (const exchange of this.#exchanges.values()) exchange.tick(now);
	}

	#open(stream: ServerHttp2Stream, flags: number, raw: unknown): void {
		stream.on('error', () => {});
		if (this.#isCalmed) return;
		// Reset before we came to it: a client that only opens and resets never costs the instance anything.
		if (stream.destroyed || stream.closed) {
			if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.#countReset();
			return;
		}
		this.#windows.opening(this.#exchanges.size);
		this.#requests += 1;
		// The types know the fourth argument of this event since few versions only: names and values in turn.
		const fields = Array.isArray(raw) ? raw.map(String) : [];
		const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
		const { head, refusal } = readHttp2Head(fields, ended, this.#deps.limits);
		const exchange = new Http2Exchange(stream, {
			head,
			peer: this.#deps.peer,
			startedAt: Date.now(),
			tlsMs: this.#requests === 1 ? this.#deps.tlsMs : null,
			deps: this.#deps,
			largeBody: () => this.#windows.widen(this.#exchanges.size),
		});
		this.#exchanges.set(stream, exchange);
		stream.on('close', () => this.#ended(stream, exchange));
		if (refusal === null) this.#deps.handle(exchange);
		else this.#deps.refuse(exchange, refusal);
		if (this.#requests >= this.#deps.limits.requestsPerConnection) this.drain();
	}

	#ended(stream: ServerHttp2Stream, exchange: Http2Exchange): void {
		this.#exchanges.delete(stream);
		if (stream.rstCode !== constants.NGHTTP2_NO_ERROR && !exchange.aborted) this.#countReset();
		if (this.#exchanges.size === 0) this.#deadline = this.#deps.ticker.after(this.#deps.limits.keepAliveMs);
	}

	/** Resets by the client, and those that it makes nghttp2 send (CVE-2023-44487, CVE-2025-8671). */
	#countReset(): void {
		const now = performance.now();
		this.#resets.push(now);
		while ((this.#resets[0] ?? now) < now - 10_000) this.#resets.shift();
		const session = this.#session;
		if (this.#isCalmed || this.#resets.length <= this.#deps.limits.resetsPer10s || session.destroyed) return;
		this.#isCalmed = true;
		session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
		// GOAWAY waits for a write that is on its way, and would be lost with the session.
		setTimeout(() => session.destroy(new Error('Too many streams were reset.')), 50);
	}

	#expire(): void {
		this.drain();
		this.#session.destroy();
	}

	#closed(): void {
		this.#deps.ticker.remove(this);
		this.#deps.closed();
	}
}
