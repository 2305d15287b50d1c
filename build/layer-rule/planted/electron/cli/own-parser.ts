import { Command } from 'commander'; // expect: cordon(imports)
export const used = Command;
