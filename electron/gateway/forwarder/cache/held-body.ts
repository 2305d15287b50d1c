/** The part of a body that somebody may still have to get. */
export class HeldBody {
  /** Bytes that ever came, and those that are held. */
  size = 0;
  held = 0;
  #chunks: Buffer[] = [];
  /** Of the whole body, the number of the first chunk that is held. */
  #dropped = 0;
  readonly #all: { held: number };

  /** `all`: where the bytes of every body are counted together. */
  constructor(all: { held: number }) {
    this.#all = all;
  }

  /** The number that the next chunk will have. */
  get end(): number {
    return this.#dropped + this.#chunks.length;
  }

  at(number: number): Buffer | undefined {
    return this.#chunks[number - this.#dropped];
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.size += chunk.length;
    this.#hold(chunk.length);
  }

  dropBefore(number: number): void {
    const count = Math.min(this.#chunks.length, number - this.#dropped);
    if (count <= 0) return;
    for (const chunk of this.#chunks.splice(0, count)) this.#hold(-chunk.length);
    this.#dropped += count;
  }

  clear(): void {
    this.dropBefore(this.end);
  }

  #hold(bytes: number): void {
    this.held += bytes;
    this.#all.held += bytes;
  }
}
