import type { TestResult } from '#shared/model/connection.ts';
import type { BudgetState } from '#shared/model/frame.ts';
import { formatCount } from '#shared/text/numbers.ts';

import type { Handshake } from './probe.ts';

export type Verdict = Omit<TestResult, 'stage'>;

const dayMs = 86_400_000;
const expiresSoonMs = 14 * dayMs;
/** The service's own times are whole seconds; a difference below this confuses nobody. */
const toleratedSkewMs = 30_000;

export function judgeCertificate({ certificate, problem }: Handshake, insecure: boolean, now: number): Verdict {
  const facts = `for ${certificate.subject}, issued by ${certificate.issuer}, valid until ${certificate.validTo}`;
  if (problem !== null && !insecure) return { verdict: 'failed', message: problem, certificate };
  if (problem !== null)
    return {
      verdict: 'warning',
      message: `${problem} Cordon accepts it, because this connection trusts any certificate.`,
      certificate,
    };
  if (insecure)
    return {
      verdict: 'warning',
      message: `The certificate is trusted (${facts}); "Trust any certificate" is not needed.`,
      certificate,
    };
  const left = Date.parse(certificate.validTo) - now;
  if (left < expiresSoonMs)
    return { verdict: 'warning', message: `The certificate is trusted, but ends soon: ${facts}.`, certificate };
  return { verdict: 'ok', message: `The certificate is trusted: ${facts}.`, certificate };
}

/** `GET /v1/version` answers `{"version":"v1.2.0",…}` (API reference, "Version"). */
export function judgeVersion(body: unknown): Verdict {
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined;
  if (typeof version !== 'string')
    return { verdict: 'failed', message: 'The server at this address is not the service: it reports no API version.' };
  if (/^v?1(?:\.|$)/.test(version)) return { verdict: 'ok', message: `The service supports API ${version}.` };
  return { verdict: 'failed', message: `The service supports API ${version}. Cordon needs v1.` };
}

/**
 * Nothing that only reads tells whether a key may write, and a change is no test. That it reads was seen: the version is
 * told to known keys alone.
 */
export function judgeScope(readOnly: boolean): Verdict {
  if (readOnly) return { verdict: 'ok', message: 'The key reads, and this connection does nothing else.' };
  return {
    verdict: 'ok',
    message: 'Read access confirmed; write access untested.',
  };
}

/** Positive when this computer is ahead; milliseconds. */
export function judgeClock(skewMs: number | null): Verdict {
  if (skewMs === null)
    return { verdict: 'warning', message: 'The service did not tell its time, so the clocks cannot be compared.' };
  const seconds = Math.trunc(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= toleratedSkewMs)
    return { verdict: 'ok', message: seconds === 0 ? 'The clocks agree.' : `The clocks agree to within ${seconds} s.` };
  return {
    verdict: 'warning',
    message: `This computer's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service's.`,
  };
}

export function judgeBudget(budget: BudgetState | null): Verdict {
  if (budget === null) return { verdict: 'warning', message: 'The service did not tell how many calls are left.' };
  const { remaining, limit, resetAt, reserve } = budget;
  const [left, of] = [remaining, limit].map(formatCount);
  const message = `${left} of ${of} calls are left until ${resetAt.slice(11, 16)} UTC.`;
  if (remaining > reserve) return { verdict: 'ok', message };
  return { verdict: 'warning', message: `${message} Only releases are sent until then.` };
}
