import { expect, test } from 'vitest';

import { whyNoWindow } from './electron.mjs';

test('a window opens where there is a display and an ordinary user', () => {
  expect(whyNoWindow({ platform: 'linux', environment: { DISPLAY: ':0' }, uid: 1000 })).toBeUndefined();
  expect(whyNoWindow({ platform: 'linux', environment: { WAYLAND_DISPLAY: 'wayland-0' }, uid: 1000 })).toBeUndefined();
  expect(whyNoWindow({ platform: 'darwin', environment: {}, uid: 501 })).toBeUndefined();
  expect(whyNoWindow({ platform: 'win32', environment: {}, uid: undefined })).toBeUndefined();
});

test('without a display, or as root, the reason is said', () => {
  expect(whyNoWindow({ platform: 'linux', environment: {}, uid: 1000 })).toBe('there is no display');
  expect(whyNoWindow({ platform: 'linux', environment: { DISPLAY: ':0' }, uid: 0 })).toContain('root');
});
