import { useEffect, useRef, useState } from 'react';

import { useApi } from '../../../api/ApiProvider.tsx';
import { ticketFor } from '../../../api/chosen-files.ts';
import { each } from '../../../api/each.ts';
import { asCordonError } from '../../../api/errors.ts';
import { hashFiles } from './hash-files.ts';
import type { HashAnswer } from './hashing/messages.ts';
import { startHashing, type Hashing } from './hashing/start-hashing.ts';

export interface FileProgress {
  readonly bytes: number;
  readonly sha256: string | null;
  readonly failed: string | null;
}

export interface HashingView {
  /** By the place of the file. */
  readonly progress: readonly FileProgress[];
  readonly isRunning: boolean;
  /** Bytes a second since the start; `null` before the first progress. */
  readonly speed: number | null;
  /** What was hashed stays. */
  cancel(): void;
}

const begun: FileProgress = { bytes: 0, sha256: null, failed: null };

/** Hashes files while the dialog is shown: by the desktop from their paths, else in a worker of the page. */
export function useHashing(files: readonly File[]): HashingView {
  const { client } = useApi();
  const [progress, setProgress] = useState<readonly FileProgress[]>(() => files.map(() => begun));
  const [speed, setSpeed] = useState<number | null>(null);
  const [isCancelled, setCancelled] = useState(false);
  const hashing = useRef<Hashing | null>(null);
  useEffect(() => {
    const startedAt = performance.now();
    const seen = new Map<number, number>();
    const take = (answer: HashAnswer): void => {
      const size = files[answer.index]?.size ?? 0;
      seen.set(answer.index, answer.kind === 'progress' ? answer.bytes : size);
      const all = [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
      const seconds = (performance.now() - startedAt) / 1000;
      if (seconds > 0.05) setSpeed(all / seconds);
      setProgress((old) => old.map((one, index) => (index === answer.index ? after(one, answer) : one)));
    };
    const byHost = async function* (ticket: string, signal: AbortSignal) {
      try {
        yield* each(await client.editor.hashFile({ ticket }, { signal }));
      } catch (error) {
        throw asCordonError(error);
      }
    };
    const started = hashFiles(files, { ticketFor, byHost, byWorker: startHashing }, take);
    hashing.current = started;
    return () => started.cancel();
  }, [files, client]);
  const cancel = (): void => {
    hashing.current?.cancel();
    setCancelled(true);
    setProgress((old) => old.map((one) => (isOpen(one) ? { ...one, failed: 'It was stopped before its end.' } : one)));
  };
  return { progress, isRunning: !isCancelled && progress.some(isOpen), speed, cancel };
}

function isOpen({ sha256, failed }: FileProgress): boolean {
  return sha256 === null && failed === null;
}

function after(one: FileProgress, answer: HashAnswer): FileProgress {
  if (answer.kind === 'progress') return { ...one, bytes: answer.bytes };
  if (answer.kind === 'hashed') return { ...one, sha256: answer.sha256 };
  return { ...one, failed: answer.message };
}
