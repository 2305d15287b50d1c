import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

const ticketLifeMs = 10 * 60_000;
const sessionLifeMs = 30 * 24 * 3_600_000;
const keepSessions = 50;

export interface Sessions {
  /** A new one-time ticket for the entry URL. */
  issueTicket(): string;
  /** Yes once, within ten minutes. */
  redeem(ticket: string): boolean;
  /** A new session's token, to be set as a cookie. */
  open(): string;
  isSession(token: string): boolean;
}

export interface SessionOptions {
  /** Sessions are kept here as hashes, so that a browser stays in when the console starts again. */
  readonly profile: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

const stored = z.array(z.object({ hash: z.string(), openedAt: z.number() }));
type Stored = z.infer<typeof stored>;

export function openSessions(options: SessionOptions): Sessions {
  const file = join(options.profile, 'headless-sessions.json');
  const tickets = new Map<string, number>();
  let sessions = load(file).filter((session) => session.openedAt + sessionLifeMs > options.now());
  const secret = (): string => Buffer.from(options.random(32)).toString('base64url');
  return {
    issueTicket() {
      const ticket = secret();
      tickets.set(hashOf(ticket), options.now() + ticketLifeMs);
      return ticket;
    },
    redeem(ticket) {
      const hash = hashOf(ticket);
      const until = tickets.get(hash);
      tickets.delete(hash);
      return until !== undefined && options.now() < until;
    },
    open() {
      const token = secret();
      sessions = [...sessions, { hash: hashOf(token), openedAt: options.now() }].slice(-keepSessions);
      save(file, sessions);
      return token;
    },
    isSession(token) {
      const hash = hashOf(token);
      return sessions.some((session) => equal(session.hash, hash) && session.openedAt + sessionLifeMs > options.now());
    },
  };
}

/** How long a browser keeps the cookie, in seconds. */
export const sessionSeconds = sessionLifeMs / 1000;

function load(file: string): Stored {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Absent or damaged: everybody enters anew.
    return [];
  }
}

function save(file: string, sessions: Stored): void {
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(sessions), { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
