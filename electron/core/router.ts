/** The contract, implemented. Procedures parse nothing and decide nothing: they call the part that knows. */
import { implement } from '@orpc/server';

import { contract, type AppInfo } from '#shared/contract/contract.ts';
import type { FrameState } from '#shared/model/frame.ts';

import type { Connections } from './connections/types.ts';
import { given } from './given.ts';
import type { Inventories } from './inventories.ts';
import type { LiveStream } from './live.ts';
import type { ProgramLog } from './log.ts';
import type { Ports } from './ports.ts';
import { commandProcedures } from './procedures/commands.ts';
import { computerProcedures } from './procedures/computers.ts';
import { connectionProcedures } from './procedures/connections.ts';
import { isolationProcedures } from './procedures/isolation.ts';
import { logProcedures } from './procedures/log.ts';
import type { Profile } from './profile.ts';
import { reportFailures } from './router-errors.ts';
import type { StoppableRunner } from './stoppable.ts';

export interface RouterParts {
  readonly ports: Ports;
  readonly profile: Pick<Profile, 'settings' | 'log' | 'history'>;
  readonly connections: Connections;
  readonly runner: StoppableRunner;
  readonly inventories: Inventories;
  readonly live: LiveStream;
  readonly programLog: ProgramLog;
  readonly info: () => Promise<AppInfo>;
  /** Opens the local copy where needed. */
  readonly frame: (connection: string) => FrameState;
  /** Closes and deletes the local copy of a connection that was removed or leads elsewhere now. */
  readonly forget: (connection: string) => Promise<void>;
  /** Aborted when the application stops. */
  readonly stopping: AbortSignal;
}

/** Handlers see no context: who may call was decided by the host before. */
export type Implementer = ReturnType<typeof implementContract>;

function implementContract(programLog: ProgramLog) {
  return implement(contract).use(reportFailures(programLog));
}

export type AppRouter = ReturnType<typeof createRouter>;

export function createRouter(parts: RouterParts) {
  const os = implementContract(parts.programLog);
  const { settings } = parts.profile;
  return os.router({
    app: {
      info: os.app.info.handler(() => parts.info()),
      live: os.app.live.handler(({ signal }) => parts.live.subscribe(signal)),
    },
    settings: {
      get: os.settings.get.handler(() => settings.get()),
      set: os.settings.set.handler(({ input }) => settings.set(given(input))),
    },
    connections: connectionProcedures(os, parts),
    computers: computerProcedures(os, parts),
    groups: {
      list: os.groups.list.handler(({ input }) => parts.inventories.open(input.connection).groups()),
    },
    isolation: isolationProcedures(os, parts),
    commands: commandProcedures(os, parts),
    log: logProcedures(os, parts),
  });
}
