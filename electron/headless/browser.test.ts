import { expect, test } from 'vitest';

import { browserCommand, type BrowserSurroundings } from './browser.ts';

const url = 'http://127.0.0.1:4711/enter?ticket=x';

function around(change: Partial<BrowserSurroundings>, ...files: readonly string[]): BrowserSurroundings {
  const environment = { DISPLAY: ':0', PATH: '/usr/bin' };
  return { platform: 'linux', environment, isRoot: false, exists: (path) => files.includes(path), ...change };
}

test('an installed browser shows the console as a window of its own', () => {
  expect(browserCommand(url, around({}, '/usr/bin/chromium'))).toEqual({
    command: '/usr/bin/chromium',
    args: [`--app=${url}`],
  });
  expect(browserCommand(url, around({ platform: 'darwin' }, '/Applications/Microsoft Edge.app'))?.args).toEqual([
    '-na',
    'Microsoft Edge',
    '--args',
    `--app=${url}`,
  ]);
});

test("without one, the system's own way opens a tab", () => {
  expect(browserCommand(url, around({}, '/usr/bin/xdg-open'))).toEqual({ command: '/usr/bin/xdg-open', args: [url] });
  expect(browserCommand(url, around({ platform: 'darwin' }))).toEqual({ command: 'open', args: [url] });
  expect(browserCommand(url, around({ platform: 'win32', environment: {} }))?.command).toBe('rundll32.exe');
});

test('nothing is opened without a display', () => {
  expect(browserCommand(url, around({ environment: { PATH: '/usr/bin' } }, '/usr/bin/chromium'))).toBeUndefined();
});

test('nothing is opened for root, whose browser would have to give up its own sandbox', () => {
  expect(browserCommand(url, around({ isRoot: true }, '/usr/bin/chromium'))).toBeUndefined();
});
