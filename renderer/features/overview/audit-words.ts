import type { AuditState } from '#shared/contract/log.ts';
import { asSentence } from '#shared/sentence.ts';

/** How far the actions from elsewhere are the truth, in a sentence; `null`: read, and all of it. */
export function auditWords({ readAt, problem, elsewhere, own }: AuditState): string | null {
  if (readAt === null) return 'What was done elsewhere is not known: the audit log was not read yet.';
  if (problem === null) return null;
  const kept = elsewhere + own > 0;
  switch (problem.code) {
    case 'forbidden':
      return `This key may not read the audit log: ${kept ? 'what was done elsewhere since then' : 'what was done elsewhere'} is not known.`;
    case 'incomplete':
      return 'Only the newest of the audit log was read: older actions from elsewhere are missing.';
    default:
      return `The audit log could not be read${kept ? ' again' : ''}: ${asSentence(problem.message)}`;
  }
}

/** Whether asking once more may help. */
export function canRead({ problem }: AuditState): boolean {
  return problem?.code !== 'forbidden' && problem?.code !== 'unauthorized';
}
