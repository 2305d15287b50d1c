import type { CommandResult } from '#shared/commands/result.ts';

import type { StepLine } from '../ui/Steps.tsx';

/** What the service answered to a change, as the second of three facts. */
export function acceptedLine(result: Pick<CommandResult, 'status' | 'requestId' | 'message'>, at: string): StepLine {
  const { status, requestId, message } = result;
  const answer = [
    message,
    status === undefined ? null : `HTTP ${status}`,
    requestId === undefined ? null : `request ${requestId}`,
  ];
  return { title: 'Accepted', state: 'done', at, text: answer.filter((part) => part !== null).join(' · ') };
}
