/** An error of the closed table as `application/problem+json` (RFC 9457). */
import { CordonError, errorTable, reportError, type ErrorCode } from '#shared/contract/errors.ts';

import { redact } from '#core/base/redact.ts';
import type { Answer } from './answers.ts';

/** What the service or the way to it did wrong is 502. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
	token_refused: 401,
	out_of_scope: 403,
	read_only: 403,
	protected: 403,
	managed: 403,
	confirmation_needed: 403,
	approval_denied: 403,
	isolation_not_allowed: 403,
	unknown_command: 404,
	not_found: 404,
	unknown_run: 404,
	unknown_playbook: 404,
	unknown_approval: 404,
	busy: 409,
	conflict: 409,
	plan_drifted: 409,
	key_reused: 422,
	rate_limited: 429,
	log_unavailable: 503,
	secret_unavailable: 503,
	cancelled: 503,
	storage: 503,
	disk_full: 503,
	wait_timeout: 504,
	response_timeout: 504,
	internal: 500,
};

export function statusOf(code: ErrorCode): number {
	return (
		statuses[code] ??
		(errorTable[code].fault === 'operator' && code !== 'unauthorized' && code !== 'forbidden' ? 400 : 502)
	);
}

export function problemOf(error: unknown, now: number): Answer {
	const known = error instanceof CordonError ? error : new CordonError('internal');
	const { code, message, fault: _fault, status: told, ...report } = redact(reportError(known));
	const status = statusOf(code);
	const wait =
		report.retryAt === undefined ? undefined : Math.max(1, Math.ceil((Date.parse(report.retryAt) - now) / 1000));
	const body = {
		...{
			type: `https://cordon.invalid/errors#${code}`,
			title: errorTable[code].sentence,
			status,
			detail: message,
			code,
		},
		...report,
		...(told !== undefined && { serviceStatus: told }),
	};
	return {
		status,
		headers: {
			'content-type': 'application/problem+json',
			...(code === 'token_refused' && { 'www-authenticate': 'Bearer' }),
			...(wait !== undefined && { 'retry-after': String(wait) }),
		},
		body: JSON.stringify(body),
	};
}
