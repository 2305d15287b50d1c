import { requestedText, stepTitles } from '#shared/text/changes.ts';

import { useOperator } from '../../api/hooks.ts';
import { acceptedLine } from '../accepted.ts';
import { t } from '../text.ts';
import { Button } from '../../ui/Button.tsx';
import { Steps, type StepLine } from '../../ui/Steps.tsx';
import type { MoveProgress } from './use-move.ts';

/** Requested, accepted, confirmed; the computer's policy follows with its next policy sync, and is told as it was seen. */
export function MoveSteps({ move }: { readonly move: MoveProgress }) {
  const { accepted, requestedAt, isChecking } = move;
  const operator = useOperator();
  if (accepted === null) return null;
  return (
    <>
      <Steps
        lines={[
          { title: stepTitles.requested, state: 'done', at: requestedAt, text: requestedText(operator, '') },
          acceptedLine(accepted.result, accepted.at),
          observation(move, accepted.moved.to),
        ]}
      />
      <span>
        <Button size="small" onPress={move.look} reason={isChecking ? t.loadingNow : null}>
          {t.checkAgain1}
        </Button>
      </span>
    </>
  );
}

function observation({ observed }: MoveProgress, to: { readonly guid: string; readonly name: string }): StepLine {
  const line = { title: stepTitles.confirmed, at: observed?.at ?? null } as const;
  if (observed === null) return { ...line, state: 'waiting', text: 'refreshing the computer' };
  if (observed.detail === null) {
    const text = observed.problem ?? 'The service has no such computer any more.';
    return { ...line, state: 'failed', text };
  }
  const { groupGuid, groupName, policyName } = observed.detail.row;
  const policy = policyName === '' ? '' : `; its policy, as it last reported: ${policyName}`;
  if (groupGuid === to.guid) return { ...line, state: 'done', text: `in ${groupName}${policy}` };
  return { ...line, state: 'failed', text: `in ${groupName}, not in ${to.name}: someone may have moved it again` };
}
