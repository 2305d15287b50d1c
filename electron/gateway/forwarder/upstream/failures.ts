/** What can go wrong on the way to an instance (route description, 1.6), in words for the client and for the log. */
import type { Refusal } from '../message-types.ts';

function failure(status: 502 | 503 | 504, reason: string, proxyError: string, detail: string): Refusal {
  return { status, reason, proxyError, detail, close: false };
}

export const upstreamFailure = {
  refusedConnection: failure(502, 'connection_refused', 'connection_refused', 'The instance accepts no connections.'),
  unroutable: failure(502, 'unroutable', 'destination_ip_unroutable', 'There is no way to the instance.'),
  noConnection: failure(502, 'connect_failed', 'destination_unavailable', 'The instance could not be reached.'),
  connectTimeout: failure(504, 'connect_timeout', 'connection_timeout', 'The instance did not accept in time.'),
  closedEarly: failure(
    502,
    'closed_before_answer',
    'connection_terminated',
    'The instance closed the connection without an answer.',
  ),
  firstByteTimeout: failure(504, 'answer_timeout', 'http_response_timeout', 'The instance did not answer in time.'),
  writeTimeout: failure(504, 'request_stalled', 'connection_write_timeout', 'The instance stopped taking the request.'),
  idleTimeout: failure(504, 'answer_stalled', 'connection_read_timeout', 'The instance stopped in the middle.'),
  incomplete: failure(502, 'incomplete', 'http_response_incomplete', 'The instance cut its answer short.'),
  unasked: failure(
    502,
    'unasked_switch',
    'http_upgrade_failed',
    'The instance switched protocols without being asked.',
  ),
  tooManyInterim: failure(
    502,
    'too_many_interim',
    'http_protocol_error',
    'The instance sent too many interim answers.',
  ),
} as const satisfies Record<string, Refusal>;

const byCode: Readonly<Record<string, Refusal>> = {
  ECONNREFUSED: upstreamFailure.refusedConnection,
  ECONNRESET: upstreamFailure.closedEarly,
  EPIPE: upstreamFailure.closedEarly,
  EHOSTUNREACH: upstreamFailure.unroutable,
  ENETUNREACH: upstreamFailure.unroutable,
  EADDRNOTAVAIL: upstreamFailure.unroutable,
  ETIMEDOUT: upstreamFailure.connectTimeout,
};

/** For a connection that never came to be. */
export function connectFailure(error: Error | null): Refusal {
  const code = error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return byCode[code] ?? upstreamFailure.noConnection;
}
