/** A socket that still hears what was said to it when what it says is no longer taken. */
import { Socket } from 'node:net';

/**
 * An instance may answer in the middle of a request and close: `403`, and no more of this upload. The kernel then fails our
 * next write, and Node would destroy the socket with the answer still unread. Here a failed write lets one more round of
 * reading pass before it ends the connection; what ends it by itself (a failed read, a deliberate `destroy`) does so at once.
 */
export class PatientSocket extends Socket {
  #isEnding = false;

  override destroy(error?: Error): this {
    if (error === undefined || !isFailedWrite(error)) return super.destroy(error);
    if (this.#isEnding) return this;
    this.#isEnding = true;
    // The first comes before the next round of reading, the second behind it.
    setImmediate(() => setImmediate(() => super.destroy(error)));
    return this;
  }
}

function isFailedWrite(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'write';
}
