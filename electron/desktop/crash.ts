import type { App, BrowserWindow } from 'electron';

import type { ProgramLog } from '#core/base/log.ts';

const mostReloads = 3;

/** A page that crashes is loaded again, but not for ever; nothing is sent anywhere. */
export function surviveCrashes(app: App, window: () => BrowserWindow | undefined, log: ProgramLog): void {
  let reloads = 0;
  app.on('render-process-gone', (_event, contents, details) => {
    log.error({ reason: details.reason, exitCode: details.exitCode }, 'The page crashed.');
    if (details.reason === 'clean-exit' || contents !== window()?.webContents || reloads >= mostReloads) return;
    reloads += 1;
    window()?.reload();
  });
  app.on('child-process-gone', (_event, details) => {
    log.error({ type: details.type, reason: details.reason, exitCode: details.exitCode }, 'A helper process ended.');
  });
}
