import { expect, test } from 'vitest';

import { consoleAddress } from './web-console.ts';

test('each region of the service has its console', () => {
  expect(consoleAddress('https://api.amp.cisco.com')).toBe('https://console.amp.cisco.com/');
  expect(consoleAddress('https://api.eu.amp.cisco.com/')).toBe('https://console.eu.amp.cisco.com/');
});

test('no console is known of another server, or of what is no address', () => {
  expect(consoleAddress('http://127.0.0.1:4000')).toBeNull();
  expect(consoleAddress('https://api.amp.cisco.com.example.org')).toBeNull();
  expect(consoleAddress('')).toBeNull();
});
