import { createApp } from '#core/app/app.ts'; // expect: cordon(imports)
import { contract } from '#contract/contract.ts'; // expect: cordon(imports)
import { version } from '#shared/version.ts'; // expect: cordon(imports)
import { computerSchema } from '#model/computer.ts';
export const used = [createApp, contract, version, computerSchema];
