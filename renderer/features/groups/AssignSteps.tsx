import { useQuery } from '@tanstack/react-query';

import type { GroupNode } from '#shared/contract/directory.ts';
import { counted, formOf } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';
import { requestedText, stepTitles } from '#shared/text/changes.ts';

import { useActiveConnection, useActiveFrame } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { useOperator } from '../../api/hooks.ts';
import { acceptedLine } from '../../commands/accepted.ts';
import { Button } from '../../ui/Button.tsx';
import { Steps, type StepLine } from '../../ui/Steps.tsx';
import { Time } from '../../ui/Time.tsx';
import type { ChosenPolicies as Chosen } from '../../commands/directory/assignable.ts';
import { holds } from './assign-facts.ts';
import styles from './AssignDialog.module.css';
import { filterOf } from './group-facts.ts';
import { t } from './text.ts';
import type { AssignProgress } from './use-assign.ts';

interface AssignStepsProps {
  readonly assign: AssignProgress;
  readonly chosen: Chosen;
  readonly below: readonly GroupNode[];
  readonly reason: string;
}

/** Requested, accepted, confirmed; computers follow one by one, and are counted as the local copy knows them. */
export function AssignSteps({ assign, chosen, below, reason }: AssignStepsProps) {
  const { accepted, requestedAt, isReading } = assign;
  const operator = useOperator();
  if (accepted === null) return null;
  return (
    <>
      <Steps
        lines={[
          { title: stepTitles.requested, state: 'done', at: requestedAt, text: requestedText(operator, reason.trim()) },
          acceptedLine(accepted.result, accepted.at),
          observation(assign, chosen),
        ]}
      />
      <Followers chosen={chosen} below={below} />
      <span>
        <Button size="small" onPress={assign.look} reason={isReading ? t.loadingNow : null}>
          {t.checkAgain1}
        </Button>
      </span>
    </>
  );
}

function observation({ observed }: AssignProgress, chosen: Chosen): StepLine {
  const line = { title: stepTitles.confirmed, at: observed?.at ?? null } as const;
  if (observed === null) return { ...line, state: 'waiting', text: 'refreshing the group' };
  if (observed.group === null)
    return { ...line, state: 'failed', text: observed.problem ?? 'The service has no such group any more.' };
  if (holds(observed.group, chosen)) return { ...line, state: 'done', text: 'the group has these policies' };
  return { ...line, state: 'failed', text: 'the group has other policies: someone may have changed them again' };
}

/** How many computers have taken it up, as far as the local copy knows. */
function Followers({ chosen, below }: Pick<AssignStepsProps, 'chosen' | 'below'>) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const inventory = useActiveFrame()?.inventory;
  const groups = filterOf(below);
  const filter = `${groups ?? ''} policy:${Object.values(chosen).join(',')}`;
  const { data } = useQuery({
    ...queries.computers.query.queryOptions({
      input: { connection, filter, sort: { column: 'hostname', descending: false }, offset: 0, limit: 1 },
    }),
    enabled: groups !== null,
  });
  if (data === undefined) return null;
  return (
    <p className={styles['note']}>
      {t.reportedNew(
        counted(data.matching, ['computer has', 'computers have']),
        formOf(Object.keys(chosen).length, nouns.policy),
      )}
      {inventory?.completeAt == null ? null : (
        <>
          {' '}
          (<Time at={inventory.completeAt} form="age" focusable /> {t.oldInBrackets}
        </>
      )}
      {t.eachApplies}
    </p>
  );
}
