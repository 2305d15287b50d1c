/** Hands the page one MessagePort when it says that it is ready, and gives it nothing else. */
import { ipcRenderer } from 'electron';

import { channel } from './desktop/wire-names.ts';

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source === window && event.origin === window.origin && isReady(event.data)) ipcRenderer.send(channel);
});

ipcRenderer.on(channel, (event) => {
  window.postMessage({ type: 'cordon:port' }, window.origin, [...event.ports]);
});

function isReady(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'cordon:ready';
}
