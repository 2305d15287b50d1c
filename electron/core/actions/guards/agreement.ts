/** Whether the operator agreed as the tier asks. Every refusal says what is missing, and nothing was sent. */
import { CordonError, type ErrorCode } from '#shared/contract/errors.ts';
import type { Agreement, GuardJudgement } from '#shared/model/guard.ts';

/** Throws `read_only`, `protected`, `usage` or `confirmation_needed`. */
export function checkAgreement(judgement: GuardJudgement, agreement: Agreement, needsReason: boolean): void {
	refuseWhole(judgement);
	const { tier, confirmation, because } = judgement;
	if (needsReason && tier >= 2 && (agreement.reason ?? '').trim() === '') throw missingReason();
	if (confirmation.kind !== 'name' && confirmation.kind !== 'count') return;
	const typed = agreement.confirm?.trim() ?? '';
	if (isConfirmed(confirmation, typed)) return;
	const expected = String(confirmation.expected);
	const what = confirmation.kind === 'name' ? `its name, ${expected},` : `the number of targets, ${expected},`;
	const wrong = typed === '' ? '' : ` What was typed does not match.`;
	throw new CordonError(
		'confirmation_needed',
		`${because.join(' ')} Type ${what} to confirm: nothing was sent.${wrong}`,
		{ field: 'confirm', fix: `Add the confirmation: on the command line, --confirm ${quoted(expected)}` },
	);
}

/** Throws for what no confirmation can allow. */
export function refuseWhole({ refused }: GuardJudgement): void {
	if (refused === null) return;
	const code = refused.code as ErrorCode; // `judge.ts` names codes of the table only
	throw new CordonError(code, refused.message, code === 'protected' ? { fix: protectedFix } : {});
}

const protectedFix = 'Changing the guard rules of the connection is a change of its own: confirmed, and logged.';

function isConfirmed(
	confirmation: { readonly kind: 'name' | 'count'; readonly expected: string | number },
	typed: string,
): boolean {
	if (confirmation.kind === 'count') return typed.replaceAll(/[,. ]/g, '') === String(confirmation.expected);
	return typed.toLowerCase() === String(confirmation.expected).toLowerCase();
}

function missingReason(): CordonError {
	return new CordonError('confirmation_needed', 'This needs a reason: nothing was sent.', {
		field: 'reason',
		fix: 'Say why: on the command line, comment="…" where the command has it, or --reason "…"',
	});
}

function quoted(text: string): string {
	return /^[\w.-]+$/.test(text) ? text : `"${text}"`;
}
