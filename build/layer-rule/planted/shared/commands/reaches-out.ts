import { readFileSync } from 'node:fs'; // expect: cordon(imports)
import { openStore } from '#core/store/database.ts'; // expect: cordon(imports)
import axios from 'axios'; // expect: cordon(imports)
export { startSandbox } from '../../electron/sandbox/server.ts'; // expect: cordon(imports)
export * from 'react'; // expect: cordon(imports)
export const used = [readFileSync, openStore, axios];
