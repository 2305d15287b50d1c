/** Gathers what is written in one turn, so that a small answer, head and body, is one write and one TLS record. */
import type { Socket } from 'node:net';

/** Pieces up to this are joined; larger ones are not worth a copy. */
const joinBytes = 64 * 1024;
/** More than this waiting for the client: whoever writes is told to wait. */
const fullBytes = 256 * 1024;

export class Output {
  readonly #socket: Socket;
  #pieces: (string | Buffer)[] = [];
  #size = 0;
  #isScheduled = false;
  /** All bytes ever given to the socket. */
  #written = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Latin-1. */
  text(text: string): void {
    this.#add(text);
  }

  bytes(bytes: Buffer): void {
    if (this.#size === 0 && bytes.length > joinBytes / 2) {
      this.#written += bytes.length;
      this.#socket.write(bytes);
    } else this.#add(bytes);
  }

  get isFull(): boolean {
    return this.#socket.writableLength + this.#size > fullBytes;
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
    this.#pieces = [];
    this.#size = 0;
    if (!this.#socket.writable) return;
    this.#written += size;
    const first = pieces[0];
    if (pieces.length > 1 && size <= joinBytes) this.#socket.write(join(pieces, size));
    else if (pieces.length > 1) this.#writeAll(pieces);
    else if (typeof first === 'string') this.#socket.write(first, 'latin1');
    else if (first !== undefined) this.#socket.write(first);
  }

  #add(piece: string | Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > joinBytes) this.flush();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(this.#flushLater);
    }
  }

  readonly #flushLater = (): void => {
    this.#isScheduled = false;
    this.flush();
  };

  #writeAll(pieces: readonly (string | Buffer)[]): void {
    this.#socket.cork();
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#socket.write(piece, 'latin1');
      else this.#socket.write(piece);
    }
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
