/** A failure's sentence without the id of its request, for where the id stands by itself beside it. */
export function withoutRequest(message: string, requestId: string | undefined): string {
  return requestId === undefined ? message : message.replace(`, request ${requestId}`, '');
}
