import { expect, test } from 'vitest';

import { curlOf, withoutRequest } from './error-words.ts';

test('the id of a request is told once', () => {
  const message = 'The service failed to answer (status 503, request 51b65783). The service says: Down.';
  expect(withoutRequest(message, '51b65783')).toBe(
    'The service failed to answer (status 503). The service says: Down.',
  );
  expect(withoutRequest(message, undefined)).toBe(message);
  expect(withoutRequest('The network is down.', '51b65783')).toBe('The network is down.');
});

test('a reading becomes a line for a shell, without a key and with nothing that the shell would read itself', () => {
  const url = "https://api.test/v1/computers?hostname=O'Hara%20$(id)&limit=500";
  expect(curlOf({ method: 'GET', url })).toBe(
    "curl --include --user CLIENT_ID --header 'Accept: application/json' 'https://api.test/v1/computers?hostname=O%27Hara%20$(id)&limit=500'",
  );
  expect(curlOf({ method: 'OPTIONS', url: 'https://api.test/v1/computers/1/isolation' })).toContain(
    ' --request OPTIONS ',
  );
});
