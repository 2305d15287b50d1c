import type { AppInfo } from '#shared/contract/contract.ts';
import type { FrameState } from '#shared/model/frame.ts';
import { CordonError } from '#shared/contract/errors.ts';

import type { Runner } from './commands/types.ts';
import type { Connections, SettingsStore } from './connections/types.ts';
import type { IncidentLog } from './incidents/types.ts';
import type { Inventory } from './inventory/types.ts';
import type { LiveStream } from './live.ts';
import type { Ports } from './ports.ts';
import type { AppRouter } from './router.ts';

export interface AppOptions {
  readonly version: string;
  /** Changes with every start of the host; made at random when left out. */
  readonly instance?: string | undefined;
  /** The embedded sandbox that the entry started; it is registered as a connection for as long as the app runs. */
  readonly sandbox?: { readonly url: string; readonly clientId: string; readonly apiKey: string } | undefined;
  /** Whether this process keeps the local copy fresh and watches pending isolations. Default: true. */
  readonly console?: boolean | undefined;
}

/** The whole application of one host. Whoever made it calls `stop` once; a second call does nothing. */
export interface App {
  /** For the RPC handlers of the hosts; it needs no context. */
  readonly router: AppRouter;
  readonly info: () => Promise<AppInfo>;
  readonly runner: Runner;
  readonly connections: Connections;
  readonly settings: SettingsStore;
  readonly log: IncidentLog;
  readonly live: LiveStream;
  /** The local copy of a connection, opened on first use. Throws `unknown_connection`. */
  readonly inventory: (connection: string) => Inventory;
  readonly frame: (connection: string) => FrameState;
  /** Ends timers, streams, calls and files within 3 s. */
  stop(): Promise<void>;
}

/** Builds the services in order; what was opened is closed again when a later one fails. */
export async function createApp(_ports: Ports, _options: AppOptions): Promise<App> {
  throw new CordonError('internal', 'The application is not assembled yet.');
}
