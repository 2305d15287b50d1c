import type { Clock } from '../ports.ts';
import type { InventorySource } from './source.ts';
import type { Inventory } from './types.ts';

export interface InventoryOptions {
  /** The SQLite file, such as `<profile>/inventory/<connection>.db`; its folder is made when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly source: InventorySource;
}

/** Opens one connection's local copy, made anew when it is damaged or of another schema. Close it with `stop()`. */
export function openInventory(_options: InventoryOptions): Inventory {
  throw new Error('not written yet');
}
