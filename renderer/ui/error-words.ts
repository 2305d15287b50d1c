import type { Asked } from '#shared/contract/errors.ts';

/** A failure's sentence without the id of its request, for where the id stands by itself beside it. */
export function withoutRequest(message: string, requestId: string | undefined): string {
  return requestId === undefined ? message : message.replace(`, request ${requestId}`, '');
}

/** A reading as a line for a shell. It holds no key: curl asks for it, and the client ID is filled in by hand. */
export function curlOf({ method, url }: Asked): string {
  const verb = method === 'GET' ? '' : `--request ${method} `;
  return `curl --include ${verb}--user CLIENT_ID --header 'Accept: application/json' '${url.replaceAll("'", '%27')}'`;
}
