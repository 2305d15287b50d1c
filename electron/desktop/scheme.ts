import { protocol } from 'electron';

import { loadPageFiles } from '#core/base/page-files.ts';
import { systemRandom } from '#core/base/system.ts';

import { scheme } from './decisions.ts';
import { answerPage } from './page-answer.ts';

/** Must run before the application is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Answers `cordon://app/…` from the built page. */
export function servePage(folder: string): void {
  const files = loadPageFiles(folder);
  protocol.handle(scheme, (request) => answerPage(request, files, systemRandom));
}
