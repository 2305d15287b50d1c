/** A token in `Authorization: Bearer …` (RFC 6750), or bare in a field of its own. */
import { createHash, timingSafeEqual } from 'node:crypto';

import type { AccessRule } from '../types.ts';
import { open, type Granted, type Refused, unauthorized } from './verdict.ts';

export type BearerRule = Extract<AccessRule, { kind: 'bearer' }>;

const compiled = new WeakMap<readonly string[], readonly Buffer[]>();

export function checkBearer(rule: BearerRule, proof: string): Granted | Refused {
  const token = inAuthorization(rule) ? (/^bearer +(\S+) *$/i.exec(proof)?.[1] ?? null) : proof.trim();
  if (token === null || token === '') return wrongToken();
  // Fields are Latin-1, byte for byte: these are the client's own bytes.
  const digest = createHash('sha256').update(Buffer.from(token, 'latin1')).digest();
  // Every one is compared, so that the time tells nothing about which.
  const hits = digestsOf(rule.verifiers).filter((verifier) => timingSafeEqual(verifier, digest));
  return hits.length > 0 ? open : wrongToken();
}

export function askForToken(rule: BearerRule): Refused {
  const where = inAuthorization(rule) ? 'A bearer token is needed.' : `A token is needed in ${rule.header}.`;
  return unauthorized('access_missing', where, 'Bearer realm="Cordon"');
}

function wrongToken(): Refused {
  return unauthorized('access_wrong', 'The token is wrong.', 'Bearer realm="Cordon", error="invalid_token"');
}

function inAuthorization(rule: BearerRule): boolean {
  return rule.header.toLowerCase() === 'authorization';
}

function digestsOf(verifiers: readonly string[]): readonly Buffer[] {
  const known = compiled.get(verifiers);
  if (known !== undefined) return known;
  const digests = verifiers.map((verifier) => Buffer.from(verifier, 'hex')).filter((digest) => digest.length === 32);
  compiled.set(verifiers, digests);
  return digests;
}
