import { write } from 'node:fs';

import type { CliHost } from './host.ts';

export interface LogWriter {
  /** `false`: much waits to be written already. */
  readonly write: (text: string) => boolean;
  /** Resolves when nothing waits. */
  written(): Promise<void>;
}

/** Bytes that may wait for whoever reads the log. */
const mostWaiting = 4_194_304;
const fullPauseMs = 20;

/** Texts for stderr in their order. A pipe that nobody empties would hold the whole process if it were written to at once. */
export function writerOf({ stderr }: Pick<CliHost, 'stderr'>): LogWriter {
  const { fd } = stderr as { readonly fd?: number }; // streams of the process have one, those of tests do not
  if (fd === undefined) return { write: (text) => stderr.write(text), written: () => Promise.resolve() };
  let waiting: Buffer[] = [];
  let bytes = 0;
  let busy = false;
  let asked: (() => void)[] = [];
  const next = (): void => {
    if (busy) return;
    if (waiting.length === 0) {
      for (const tell of asked.splice(0)) tell();
      return;
    }
    busy = true;
    const all = Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
    put(all);
  };
  const put = (rest: Buffer): void =>
    write(fd, rest, (error, count) => {
      // A pipe that is full takes more when it was read.
      if (error?.code === 'EAGAIN') return void setTimeout(() => put(rest), fullPauseMs);
      if (error === null && count < rest.length) return put(rest.subarray(count));
      // Whoever read it is gone: the requests go on.
      busy = false;
      next();
    });
  return {
    write: (text) => {
      const chunk = Buffer.from(text);
      waiting.push(chunk);
      bytes += chunk.length;
      next();
      return bytes < mostWaiting;
    },
    written: () =>
      new Promise((resolve) => {
        asked = [...asked, resolve];
        next();
      }),
  };
}
