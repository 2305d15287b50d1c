import { DatabaseSync } from 'node:sqlite';
import { openInventory } from '../replicas/computers/inventory.ts'; // expect: cordon(imports)
import { openInventory as again } from '#core/replicas/computers/inventory.ts'; // expect: cordon(imports)
export const used = [DatabaseSync, openInventory, again];
