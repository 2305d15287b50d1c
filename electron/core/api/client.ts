import type { ApiClient, ClientOptions } from './types.ts';

/** Throws `invalid_argument` or `insecure_url` when the address cannot be used. */
export function createApiClient(_options: ClientOptions): ApiClient {
  throw new Error('not written yet');
}
