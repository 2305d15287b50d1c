import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../ports.ts';
import { openInventory } from '../inventory/inventory.ts'; // expect: cordon(imports)
import { openInventory as again } from '#core/inventory/inventory.ts'; // expect: cordon(imports)
export const used = [DatabaseSync, openInventory, again];
export type Used = Clock;
