/** Turns what changed in the parts into events of the live stream; frames are put together once per turn of the event loop. */
import type { LiveEvent } from '#shared/contract/live.ts';
import type { FrameState } from '#shared/model/frame.ts';

import type { Connections } from '#core/service/connections/types.ts';
import type { Directories } from '#core/replicas/directories.ts';
import type { Inventories } from '#core/replicas/inventories.ts';

export interface PublisherOptions {
  readonly publish: (event: LiveEvent) => void;
  /** May throw while a connection is being removed. */
  readonly frame: (connection: string) => FrameState;
  readonly connections: Pick<Connections, 'list'>;
  readonly inventories: Pick<Inventories, 'opened'>;
  readonly directories: Pick<Directories, 'opened'>;
  readonly onTrouble: (message: string, error: unknown) => void;
}

export interface Publisher {
  /** Something in the frame of this connection changed. */
  frameChanged(connection: string): void;
  everyFrameChanged(): void;
  /** One row, or with `null` any of them. */
  computersChanged(connection: string, guid: string | null): void;
  directoryChanged(connection: string): void;
  /** The frames of all connections, now. */
  frames(): readonly LiveEvent[];
  stop(): void;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { publish } = options;
  const changed = new Set<string>();
  let pending: NodeJS.Immediate | undefined;
  let stopped = false;
  const flush = (): void => {
    pending = undefined;
    const frames = [...changed].flatMap((connection) => frameEvent(options, connection));
    changed.clear();
    frames.forEach(publish);
  };
  const frameChanged = (connection: string): void => {
    if (stopped) return;
    changed.add(connection);
    pending ??= setImmediate(flush);
  };
  const all = (): readonly string[] => options.connections.list().map(({ id }) => id);
  return {
    frameChanged,
    everyFrameChanged: () => all().forEach(frameChanged),
    computersChanged(connection, guid) {
      if (guid !== null) publish({ kind: 'computer', connection, guid });
      const revision = options.inventories.opened(connection)?.state().revision ?? 0;
      publish({ kind: 'computers', connection, revision });
      frameChanged(connection);
    },
    directoryChanged(connection) {
      const revision = options.directories.opened(connection)?.state().revision ?? 0;
      publish({ kind: 'directory', connection, revision });
    },
    frames: () => all().flatMap((connection) => frameEvent(options, connection)),
    stop() {
      stopped = true;
      if (pending !== undefined) clearImmediate(pending);
    },
  };
}

function frameEvent({ frame, onTrouble }: PublisherOptions, connection: string): readonly LiveEvent[] {
  try {
    return [{ kind: 'frame', frame: frame(connection) }];
  } catch (error) {
    onTrouble('A frame could not be put together.', error);
    return [];
  }
}
