import { useState } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';
import type { Confirmation } from '#shared/model/guard.ts';
import type { JobPlan } from '#shared/model/job.ts';
import type { DraftState } from '#shared/model/list-draft.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';
import { formatDuration } from '#shared/text/durations.ts';

import { useActiveConnection, useActiveFrame, useWriteRefusal } from '../../../api/active.tsx';
import { useApi } from '../../../api/ApiProvider.tsx';
import { buttonWords } from '../../../commands/effect.ts';
import { useSettings } from '../../../api/hooks.ts';
import { useAnnounce } from '../../../ui/Announcer.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { effectNote } from '../checks.ts';
import { kindWords } from '../words.ts';
import { commitBlock } from './commit-block.ts';
import { commitCalls, signedCounts } from './draft-words.ts';
import styles from './Editor.module.css';
import { useAct } from './use-draft.ts';

interface CommitDialogProps {
  readonly list: FileListRow;
  readonly state: DraftState;
  readonly listCalls: number | null;
  /** Only what this job left behind. */
  readonly retryOf: string | undefined;
  readonly onStarted: (job: string) => void;
  readonly onClose: () => void;
}

/** Reason, then a plan that is looked at, then the confirmation that its tier asks for. Enter sends nothing. */
export function CommitDialog(props: CommitDialogProps) {
  const { list, state, retryOf, listCalls, onStarted, onClose } = props;
  const { client } = useApi();
  const connection = useActiveConnection();
  const lock = useWriteRefusal();
  const frame = useActiveFrame();
  const announce = useAnnounce();
  const { activeIncident: incident } = useSettings();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [plan, setPlan] = useState<JobPlan | null>(null);
  const draft = { connection: connection.id, list: list.guid };
  const planning = useAct(
    () => client.editor.plan({ ...draft, reason: reason.trim(), ...(retryOf !== undefined && { retryOf }) }),
    (made) => {
      setPlan(made);
      announce(
        `${formatCount(made.targets.length)} of ${formatCount(made.targets.length + made.leftOut.length)} planned`,
      );
    },
  );
  const applying = useAct(
    () => client.jobs.apply({ plan: plan?.id ?? '', confirm: typed.trim(), incident }),
    ({ id, title }) => {
      announce(`${title}: started`);
      onStarted(id);
    },
  );
  const block = commitBlock({ list, state, frame });
  const changes = plan === null ? state.ready : plan.targets.length;
  const act = `Commit ${counted(changes, nouns.change)} to ${list.name}`;
  return (
    <Dialog
      title={retryOf === undefined ? `Commit to ${list.name}` : `Retry what failed on ${list.name}`}
      isOpen
      onClose={onClose}
      tone="connection"
      size="large"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          {plan === null ? (
            <Button
              tone="primary"
              onPress={planning.run}
              lock={lock}
              reason={block ?? (planning.isRunning ? 'Loading the list.' : reason.trim() === '' ? noReason : null)}
            >
              Check and plan
            </Button>
          ) : (
            <Button
              tone="connection"
              onPress={applying.run}
              lock={lock}
              reason={waitsFor(plan, typed, applying.isRunning)}
            >
              {buttonWords(act, connection)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles['form']}>
        {plan === null ? (
          <>
            <p>
              <Signed adds={state.adds} removes={state.removes} /> staged, {formatCount(state.ready)} ready. Rows that
              are refused, need a reason or have nothing to do stay in the draft.
            </p>
            <TextArea
              label="Reason"
              value={reason}
              onChange={setReason}
              isRequired
              autoFocus
              rows={2}
              maxLength={500}
              description="It goes into the incident log with every change. The notes of the rows go to the service."
            />
            <p className={styles['dim']}>
              Planning reads the list and sends no change. The whole takes about{' '}
              {formatCount(commitCalls(state.ready, listCalls))} calls.
            </p>
          </>
        ) : (
          <Planned plan={plan} list={list} typed={typed} onTyped={setTyped} />
        )}
        {planning.error === null ? null : <Banner tone="bad">{planning.error.message}</Banner>}
        {applying.error === null ? null : (
          <Banner tone="bad">
            {applying.error.message}
            {applying.error.code === 'plan_drifted' ? ' Close this dialog and commit again for a new plan.' : ''}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

const noReason = 'Give a reason first.';

function Signed({ adds, removes }: { readonly adds: number; readonly removes: number }) {
  return <b>{signedCounts(adds, removes) || 'Nothing'}</b>;
}

function waitsFor(plan: JobPlan, typed: string, isRunning: boolean): string | null {
  if (isRunning) return 'Rechecking the list before starting…';
  if (plan.targets.length === 0) return 'Nothing is left to send.';
  const expected = expectedOf(plan.confirmation);
  if (expected === null || typed.trim().replaceAll(/[,. ]/g, '').toLowerCase() === expected.toLowerCase()) return null;
  return `Type ${expected} to confirm.`;
}

function expectedOf(confirmation: Confirmation): string | null {
  return confirmation.kind === 'name' || confirmation.kind === 'count' ? String(confirmation.expected) : null;
}

interface PlannedProps {
  readonly plan: JobPlan;
  readonly list: FileListRow;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
}

function Planned({ plan, list, typed, onTyped }: PlannedProps) {
  const { targets, leftOut, cost, because, tier, action, confirmation } = plan;
  const removes = action.kind === 'change_hashes' ? targets.filter(({ id }) => action.removes.includes(id)).length : 0;
  const expected = expectedOf(confirmation);
  const effect = effectNote(list);
  return (
    <>
      <p>
        <Signed adds={targets.length - removes} removes={removes} /> will be sent, one call for each.{' '}
        {kindWords(list.type).effect} It takes effect at the next policy sync of each computer, not at once.
      </p>
      {effect.level === 'amber' ? <Banner tone="warning">{effect.message}</Banner> : <p>{effect.message}</p>}
      {tier < 3 ? null : <Banner tone="warning">{because.join(' ')}</Banner>}
      {leftOut.length === 0 ? null : (
        <section aria-label="Skipped">
          <p>{formatCount(leftOut.length)} skipped:</p>
          <ul className={styles['detail']}>
            {leftOut.slice(0, 100).map(({ id, message }) => (
              <li key={id}>
                <code className={styles['mono']}>{id}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles['dim']}>
        Cost: {formatCount(cost.calls)} calls at most ({formatCount(cost.writes)} changes, {formatCount(cost.reads)}{' '}
        readings), about {formatDuration(1000 * cost.seconds)}
        {cost.leaves === null ? '' : `; ${formatCount(cost.leaves)} left for other work this hour`}. They go out in
        waves of {plan.waves.map((size) => formatCount(size)).join(', ')}; one that fails does not stop the others.
      </p>
      {expected === null ? null : (
        <TextField
          label={confirmation.kind === 'count' ? 'Type the number of changes' : 'Type the beginning of the hash'}
          value={typed}
          onChange={onTyped}
          isRequired
          mono
          autoFocus
          autoComplete="off"
          description={`Type ${expected} to confirm: the guard rules ask for it.`}
        />
      )}
    </>
  );
}
