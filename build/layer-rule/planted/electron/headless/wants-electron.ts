import { app } from 'electron'; // expect: cordon(imports)
import { Command } from 'commander'; // expect: cordon(imports)
import { unheardOf } from 'left-pad'; // expect: cordon(imports)
export const used = [app, Command, unheardOf];
