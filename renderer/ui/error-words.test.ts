import { expect, test } from 'vitest';

import { withoutRequest } from './error-words.ts';

test('the id of a request is told once', () => {
  const message = 'The service failed to answer (status 503, request 51b65783). The service says: Down.';
  expect(withoutRequest(message, '51b65783')).toBe(
    'The service failed to answer (status 503). The service says: Down.',
  );
  expect(withoutRequest(message, undefined)).toBe(message);
  expect(withoutRequest('The network is down.', '51b65783')).toBe('The network is down.');
});
