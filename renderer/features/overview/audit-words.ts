import type { AuditState } from '#shared/contract/log.ts';
import { asSentence } from '#shared/sentence.ts';
import { common } from '#shared/text/common.ts';

/** How far the actions from elsewhere are the truth, in a sentence; `null`: read, and all of it. */
export function auditWords({ readAt, problem, elsewhere, own }: AuditState): string | null {
	if (readAt === null) return 'Changes outside Cordon are unknown. Load the audit log.';
	if (problem === null) return null;
	const kept = elsewhere + own > 0;
	switch (problem.code) {
		case 'forbidden':
			return `This API key may not read the audit log. ${kept ? 'Later changes' : 'Changes'} outside Cordon are unknown.`;
		case 'incomplete':
			return 'Only the newest audit entries were loaded. Load older changes in the Incident log.';
		default:
			return `Could not ${kept ? 'refresh' : 'load'} the audit log: ${asSentence(problem.message)}`;
	}
}

/** Everything of its time is here, so that an empty list says that nothing was done. */
export function isRead({ readAt, problem }: AuditState): boolean {
	return readAt !== null && problem === null;
}

/** What asking now would be. */
export function askWords({ readAt, problem }: AuditState): string {
	if (readAt === null) return common.load;
	return problem === null || problem.code === 'incomplete' ? common.loadNewEntries : 'Try again';
}
