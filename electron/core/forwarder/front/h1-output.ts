/** Gathers what is written in one turn, so that a small answer, head and body, is one write and one TLS record. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Pieces up to this are joined; larger ones are not worth a copy. */
const joinBytes = 64 * 1024;

export class Output {
  readonly #socket: Socket;
  /** TLS encrypts what it is given before `write` returns, unless another write waits; plain sockets may keep it. */
  readonly #usesUp: boolean;
  #pieces: (string | Buffer)[] = [];
  #size = 0;
  /** One of the pieces is overwritten after this turn. */
  #hasBorrowed = false;
  #isScheduled = false;
  /** All bytes ever given to the socket. */
  #written = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#usesUp = socket instanceof TLSSocket;
  }

  /** Latin-1. */
  text(text: string): void {
    this.#add(text);
  }

  /** `isBorrowed`: overwritten after this turn. */
  bytes(bytes: Buffer, isBorrowed: boolean): void {
    if (isBorrowed) this.#hasBorrowed = true;
    this.#add(bytes);
  }

  /** Whoever writes should wait for `drain`, which then comes. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > 0;
  }

  /** Bytes that the kernel has taken, nearly. */
  get flushed(): number {
    return this.#written - this.#socket.writableLength;
  }

  get isWaiting(): boolean {
    return this.#socket.writableLength > 0;
  }

  flush(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    const size = this.#size;
    const mustCopy = this.#hasBorrowed && (!this.#usesUp || this.isWaiting);
    this.#pieces = [];
    this.#size = 0;
    this.#hasBorrowed = false;
    if (!this.#socket.writable) return;
    this.#written += size;
    const [first] = pieces;
    if (mustCopy || (pieces.length > 1 && size <= joinBytes)) this.#socket.write(join(pieces, size));
    else if (pieces.length > 1) this.#writeAll(pieces);
    else if (first !== undefined) this.#write(first);
  }

  #add(piece: string | Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > joinBytes / 2) this.flush();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(this.#flushLater);
    }
  }

  readonly #flushLater = (): void => {
    this.#isScheduled = false;
    this.flush();
  };

  #write(piece: string | Buffer): void {
    if (typeof piece === 'string') this.#socket.write(piece, 'latin1');
    else this.#socket.write(piece);
  }

  #writeAll(pieces: readonly (string | Buffer)[]): void {
    this.#socket.cork();
    for (const piece of pieces) this.#write(piece);
    this.#socket.uncork();
  }
}

function join(pieces: readonly (string | Buffer)[], size: number): Buffer {
  const all = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    at += typeof piece === 'string' ? all.write(piece, at, 'latin1') : piece.copy(all, at);
  }
  return all;
}
