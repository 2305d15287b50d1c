import { acceptedLine } from '../accepted.ts';
import { Button } from '../../ui/Button.tsx';
import { Steps, type StepLine } from '../../ui/Steps.tsx';
import type { MoveProgress } from './use-move.ts';

/** Requested, accepted, observed; the computer's policy follows with its next heartbeat, and is told as it was seen. */
export function MoveSteps({ move }: { readonly move: MoveProgress }) {
  const { accepted, requestedAt, isChecking } = move;
  if (accepted === null) return null;
  return (
    <>
      <Steps
        lines={[
          { title: 'Requested', state: 'done', at: requestedAt, text: 'by you; the request is in the incident log' },
          acceptedLine(accepted.result, accepted.at),
          observation(move, accepted.moved.to),
        ]}
      />
      <span>
        <Button size="small" onPress={move.look} reason={isChecking ? 'It is being read.' : null}>
          Look again · 1 call
        </Button>
      </span>
    </>
  );
}

function observation({ observed }: MoveProgress, to: { readonly guid: string; readonly name: string }): StepLine {
  const line = { title: 'Observed', at: observed?.at ?? null } as const;
  if (observed === null) return { ...line, state: 'waiting', text: 'reading the computer again' };
  if (observed.detail === null) {
    const text = observed.problem ?? 'The service has no such computer any more.';
    return { ...line, state: 'failed', text };
  }
  const { groupGuid, groupName, policyName } = observed.detail.row;
  const policy = policyName === '' ? '' : `; its policy, as it last reported: ${policyName}`;
  if (groupGuid === to.guid) return { ...line, state: 'done', text: `in ${groupName}${policy}` };
  return { ...line, state: 'failed', text: `in ${groupName}, not in ${to.name}: somebody may have moved it again` };
}
