import { DatabaseSync } from 'node:sqlite'; // expect: cordon(imports)
import { app } from 'electron'; // expect: cordon(imports)
import { startSandbox } from '#sandbox/server.ts'; // expect: cordon(imports)
import { startServer } from '../../../headless/server.ts'; // expect: cordon(imports)
import { issueWriteToken } from '#core/service/api/write-token.ts'; // expect: cordon(privilege)
import { env } from 'node:process'; // expect: cordon(process-module)
import type { WriteToken } from '#core/service/api/write-token.ts';
export const home = process.env.HOME; // expect: cordon(privilege)
export const alsoHome = process['env']; // expect: cordon(privilege)
export const lazily = (): Promise<unknown> => import('electron'); // expect: cordon(imports)
export type Sandbox = import('#sandbox/server.ts').Sandbox; // expect: cordon(imports)
export const used = [DatabaseSync, app, startSandbox, startServer, issueWriteToken, env];
export type Used = WriteToken;
