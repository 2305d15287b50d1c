/** The services that are part of Cordon, by name. Each is loaded when an instance of it first starts. */
import { join } from 'node:path';

import type { ListStatus } from '#shared/contract/instances.ts';
import type { Program } from '#shared/model/instance.ts';

import type { Clock } from '../ports.ts';
import type { FetchFileList } from './list/sources.ts';

export type BuiltinDefinition = Extract<Program, { readonly kind: 'builtin' }>['builtin'];

export interface BuiltinStart {
  readonly definition: BuiltinDefinition;
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly onTrouble: (message: string, error?: unknown) => void;
}

/** A built-in instance that runs. */
export interface RunningBuiltin {
  listStatus(): ListStatus | null;
  publish(): Promise<ListStatus>;
  reload(definition: BuiltinDefinition): void;
  stop(): Promise<void>;
}

export interface Builtins {
  /** Rejects when it cannot start. */
  start(options: BuiltinStart): Promise<RunningBuiltin>;
  /** Takes away what an instance that was removed kept. */
  forget(id: string): Promise<void>;
}

export interface BuiltinsOptions {
  /** Each instance has a folder of its own in it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly fetchFileList: FetchFileList;
}

export function createBuiltins({ folder, clock, fetchFileList }: BuiltinsOptions): Builtins {
  const folderOf = (id: string): string => join(folder, id);
  return {
    start: async ({ definition, id, name, host, port, onTrouble }) => {
      const { startListService } = await import('./list/service.ts');
      const running = await startListService({
        definition,
        instance: { id, name },
        folder: folderOf(id),
        host,
        port,
        clock,
        fetchFileList,
        onTrouble,
      });
      return { listStatus: running.status, publish: running.publish, reload: running.reload, stop: running.stop };
    },
    forget: async (id) => {
      const { rm } = await import('node:fs/promises');
      await rm(folderOf(id), { recursive: true, force: true });
    },
  };
}
