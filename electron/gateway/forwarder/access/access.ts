/** Who may use an instance: one door for all kinds of access. Holds no secret in the clear beyond a request. */
import type { Peer, RequestHead } from '../message-types.ts';
import type { AccessRule } from '../types.ts';
import { type Attempts, createBackOff } from './back-off.ts';
import { askForBasic, createBasic } from './basic.ts';
import { askForToken, type BearerRule, checkBearer } from './bearer.ts';
import { checkCertificate } from './certificate.ts';
import { proofOf } from './fields.ts';
import { createSignatures } from './signature.ts';
import { type AccessVerdict, type Granted, open, type Refused, tooMany } from './verdict.ts';

export interface AccessSource {
  /** Unix milliseconds. */
  now(): number;
  monotonic(): number;
  random(bytes: number): Uint8Array;
}

export interface Access {
  /**
   * Decides from the head, at once where it can; never rejects. `peer.client` is who is held back after failed attempts.
   * The allow list of addresses is not asked here: see `isAllowed`.
   */
  check(rule: AccessRule, head: RequestHead, peer: Peer, instanceId: string): AccessVerdict | Promise<AccessVerdict>;
}

type ProvingRule = Exclude<AccessRule, { kind: 'none' | 'certificate' }>;

export function createAccess(source: AccessSource): Access {
  const backOff = createBackOff(source.monotonic);
  const basic = createBasic(source.monotonic, source.random);
  const signatures = createSignatures(source.now);

  function check(rule: AccessRule, head: RequestHead, peer: Peer, instanceId: string) {
    if (rule.kind === 'none') return open;
    // A certificate cannot be guessed, so nobody is held back for it.
    if (rule.kind === 'certificate') return checkCertificate(rule, peer.certificate, source.now());
    const waitMs = backOff.waitMs(instanceId, peer.client);
    if (waitMs > 0) return tooMany('access_backed_off', 'Too many failed attempts: wait before the next.', waitMs);
    return prove(rule, head, instanceId, {
      begin: () => backOff.begin(instanceId, peer.client),
      forgive: () => backOff.forgive(instanceId, peer.client),
    });
  }

  function prove(rule: ProvingRule, head: RequestHead, instanceId: string, attempts: Attempts) {
    if (rule.kind === 'hmac') return signatures.check(rule, head.fields, instanceId, attempts);
    const proof = proofOf(head.fields, rule.kind === 'bearer' ? rule.header : 'authorization');
    if (proof === null || proof === 'several') return rule.kind === 'basic' ? askForBasic(rule) : askForToken(rule);
    if (rule.kind === 'basic') return basic.check(rule, proof.value, instanceId, attempts);
    return bearer(rule, proof.value, attempts);
  }

  return { check };
}

function bearer(rule: BearerRule, proof: string, attempts: Attempts): Granted | Refused {
  const attempt = attempts.begin();
  if (attempt === null) return tooMany('access_backed_off', 'Too many attempts at once.', 1000);
  const verdict = checkBearer(rule, proof);
  attempt.end(verdict.kind === 'granted' ? 'good' : 'bad');
  return verdict;
}
