import type { ErrorReport } from '#shared/contract/errors.ts';
import type { AuditState } from '#shared/contract/log.ts';
import { asSentence } from '#shared/sentence.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

export function callWords(calls: number): string {
  return counted(calls, nouns.call);
}

/** How many there are, and which of them are left out because they are our own. */
export function elsewhereWords(state: AuditState, matching: number, isShown: boolean): string {
  const { elsewhere, own, readAt } = state;
  if (elsewhere === 0 && (readAt === null || triedWord(state) !== 'Loaded'))
    return 'The service audit log has not been loaded yet.';
  const some = isShown && matching !== elsewhere ? `${formatCount(matching)} of ` : '';
  const repeated = own === 0 ? '' : ` ${formatCount(own)} more repeat entries of this log and are skipped.`;
  return `${some}${counted(elsewhere, nouns.action)} outside Cordon.${repeated}`;
}

/** A reading that brought nothing is none. */
export function triedWord({ problem }: Pick<AuditState, 'problem'>): 'Loaded' | 'Tried' {
  return problem === null || problem.code === 'incomplete' ? 'Loaded' : 'Tried';
}

/** Why the last reading brought nothing, or not everything. */
export function problemWords(problem: ErrorReport): string {
  switch (problem.code) {
    case 'forbidden':
      return 'This API key may not read the service audit log. Earlier entries stay. The entries of Cordon are complete.';
    case 'unauthorized':
      return 'The service does not know this key: replace it under Connections. Our own entries are complete.';
    case 'rate_limited':
      return `API limit reached, so the audit log was not loaded. ${asSentence(problem.message)}`;
    case 'incomplete':
      return 'Only the newest audit entries were loaded. Older changes outside Cordon are missing.';
    default:
      return `Changes outside Cordon may be missing: ${asSentence(problem.message)}`;
  }
}
