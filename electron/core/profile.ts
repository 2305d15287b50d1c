import type { ApiClient, ClientOptions } from './api/types.ts';
import type { Connections, SettingsStore, WriteLocks } from './connections/types.ts';
import type { IncidentLog } from './incidents/types.ts';
import type { Ports } from './ports.ts';
import type { CommandHistory } from './settings/history.ts';
import type { Database } from './store/database.ts';

/** What lies in the profile's folder. Each part is opened when it is first used. */
export interface Profile {
  /** `profile.db`: connections, settings, budget, locks, history. */
  readonly database: Database;
  readonly log: IncidentLog;
  readonly connections: Connections;
  readonly locks: WriteLocks;
  readonly settings: SettingsStore;
  readonly history: CommandHistory;
  /** Closes what was opened; releases this process's write locks. */
  stop(): Promise<void>;
}

export interface ProfileOptions {
  readonly createClient: (options: ClientOptions) => ApiClient;
  /** `User-Agent`, such as `Cordon/0.1.0`. */
  readonly userAgent: string;
}

export function openProfile(_ports: Ports, _options: ProfileOptions): Profile {
  throw new Error('not yet');
}
