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
  if (elsewhere === 0 && (readAt === null || triedWord(state) !== 'Read'))
    return "The service's own audit log has not been read yet.";
  const some = isShown && matching !== elsewhere ? `${formatCount(matching)} of ` : '';
  const repeated = own === 0 ? '' : ` ${formatCount(own)} more repeat entries of this log and are left out.`;
  return `${some}${counted(elsewhere, nouns.action)} from elsewhere.${repeated}`;
}

/** A reading that brought nothing is none. */
export function triedWord({ problem }: Pick<AuditState, 'problem'>): 'Read' | 'Tried' {
  return problem === null || problem.code === 'incomplete' ? 'Read' : 'Tried';
}

/** Why the last reading brought nothing, or not everything. */
export function problemWords(problem: ErrorReport): string {
  switch (problem.code) {
    case 'forbidden':
      return "This key may not read the service's audit log. What is here from before stays, and our own entries are complete.";
    case 'unauthorized':
      return 'The service does not know this key: replace it under Connections. Our own entries are complete.';
    case 'rate_limited':
      return `API limit reached, so the audit log was not loaded. ${asSentence(problem.message)}`;
    case 'incomplete':
      return 'Only the newest entries of the audit log were read: older actions from elsewhere are missing here.';
    default:
      return `Actions from elsewhere may be missing: ${asSentence(problem.message)}`;
  }
}
