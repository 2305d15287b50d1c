/** The services that are part of Cordon, by name. Each is loaded when an instance of it first starts. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { ListStatus } from '#shared/contract/instances.ts';
import type { Program } from '#shared/model/instance.ts';

import type { Clock } from '#core/base/ports.ts';
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
  /** Takes away what instances kept that are no more. */
  keepOnly(ids: ReadonlySet<string>): Promise<void>;
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
    keepOnly: async (ids) => {
      const names = await readdir(folder).catch(() => []);
      const gone = names.filter((name) => !ids.has(name));
      await Promise.all(gone.map((name) => rm(folderOf(name), { recursive: true, force: true })));
    },
  };
}
