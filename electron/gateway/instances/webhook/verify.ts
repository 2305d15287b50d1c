/** Whether a request was signed by who has the key, is fresh, and comes for the first time. */
import { hash } from 'node:crypto';

import type { Access } from '#shared/model/instance.ts';

import { openCacheFile } from '#core/store/cache-file.ts';
import { claimOf, isSigned } from '../../forwarder/access/signature.ts';

export type SignedAccess = Extract<Access, { readonly kind: 'hmac' }>;

/** A signed request is good for so long, whatever the access check of the route allows. */
export const freshS = 300;

/** Requests that were answered; they survive the process. */
export interface Nonces {
	/** `false`: it was there before. */
	add(nonce: string, now: number): boolean;
	close(): void;
}

export function openNonces(path: string): Nonces {
	const tables = 'CREATE TABLE seen (nonce TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;';
	const database = openCacheFile({ path, schemaVersion: 1, tables, tune: '' });
	return {
		add: (nonce, now) =>
			database.transaction(
				() => {
					database.run('DELETE FROM seen WHERE until < ?', now);
					const until = now + 2 * freshS * 1000;
					return database.run('INSERT OR IGNORE INTO seen VALUES (?, ?)', nonce, until).changes === 1;
				},
				{ durable: true },
			),
		close: () => database.close(),
	};
}

export interface Asking {
	readonly access: SignedAccess;
	readonly key: string;
	/** Names and values in turn. */
	readonly fields: readonly string[];
	readonly body: Buffer;
	readonly nonces: Nonces;
	/** Unix milliseconds. */
	readonly now: number;
}

/** `null`: it is to be answered. */
export function refusalOf({ access, key, fields, body, nonces, now }: Asking): string | null {
	const { preset, toleranceS } = access;
	if (preset === 'github') return 'GitHub signs no time, so that a request could be sent again.';
	const rule = { kind: 'hmac', preset, toleranceS, key } as const;
	const claim = claimOf(rule, fields);
	if (claim === null || claim === 'malformed') return 'The request is not signed.';
	if (!isSigned(rule, claim, body)) return 'The signature is wrong.';
	const seconds = claim.time ?? secondsIn(body);
	if (seconds === null) return 'The request has no signed time.';
	if (Math.abs(now / 1000 - seconds) > Math.min(toleranceS, freshS))
		return 'The signed time is too far from the time here.';
	// Everything that is signed is in the body or before it.
	const nonce = hash('sha256', Buffer.concat([Buffer.from(claim.prefix), body]), 'hex');
	return nonces.add(nonce, now) ? null : 'This signed request was made before.';
}

/** Teams signs the body alone, and its time is in it. */
function secondsIn(body: Buffer): number | null {
	try {
		const { timestamp } = JSON.parse(body.toString('utf8')) as { readonly timestamp?: unknown };
		const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
		return Number.isNaN(ms) ? null : ms / 1000;
	} catch {
		return null;
	}
}
