/** Turns what changed in the parts into events of the live stream; frames are put together once per turn of the event loop. */
import type { LiveEvent } from '#shared/contract/live.ts';
import type { FrameState } from '#shared/model/frame.ts';

export interface PublisherOptions {
  readonly publish: (event: LiveEvent) => void;
  /** May throw while a connection is being removed. */
  readonly frame: (connection: string) => FrameState;
  readonly onTrouble: (message: string, error: unknown) => void;
}

export interface Publisher {
  /** Something in the frame of this connection changed. */
  frameChanged(connection: string): void;
  stop(): void;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const changed = new Set<string>();
  let pending: NodeJS.Immediate | undefined;
  const flush = (): void => {
    pending = undefined;
    const connections = [...changed];
    changed.clear();
    for (const connection of connections) publishFrame(options, connection);
  };
  return {
    frameChanged(connection) {
      changed.add(connection);
      pending ??= setImmediate(flush);
    },
    stop() {
      if (pending !== undefined) clearImmediate(pending);
    },
  };
}

function publishFrame({ publish, frame, onTrouble }: PublisherOptions, connection: string): void {
  try {
    publish({ kind: 'frame', frame: frame(connection) });
  } catch (error) {
    onTrouble('A frame could not be put together.', error);
  }
}
