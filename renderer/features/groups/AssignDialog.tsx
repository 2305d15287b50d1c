import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { GroupChangePreview, GroupNode } from '#shared/contract/directory.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { calls, productTitle } from '../../commands/directory/directory-words.ts';
import { usePolicies } from '../../commands/directory/use-directory.ts';
import { buttonWords } from '../../commands/effect.ts';
import { ConfirmButton } from '../../commands/guard/ConfirmButton.tsx';
import { GuardNotes } from '../../commands/guard/GuardNotes.tsx';
import { TypedConfirmation } from '../../commands/guard/TypedConfirmation.tsx';
import { useAgreement } from '../../commands/guard/use-agreement.ts';
import { useJudgement, type JudgementView } from '../../commands/guard/use-judgement.ts';
import { RunNote } from '../../commands/RunNote.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { formatCount } from '../../ui/time.ts';
import { asSentence } from '../../ui/words.ts';
import { changedProducts, commandArgs, readingsOf, type Chosen } from './assign-facts.ts';
import styles from './AssignDialog.module.css';
import { AssignPreview } from './AssignPreview.tsx';
import { AssignSteps } from './AssignSteps.tsx';
import { PolicyChoices } from './PolicyChoices.tsx';
import { useAssign } from './use-assign.ts';

interface AssignDialogProps {
  readonly group: GroupNode;
  /** The group and those below it. */
  readonly below: readonly GroupNode[];
  readonly onClose: () => void;
}

/** Sets policies of one group: choose, see before and after, say why, send one request, see what came of it. */
export function AssignDialog({ group, below, onClose }: AssignDialogProps) {
  const { queries } = useApi();
  const connection = useActiveConnection();
  const writeRefusal = useWriteRefusal();
  const announce = useAnnounce();
  const { items: policies = [] } = usePolicies();
  const known = useMemo(() => new Map(policies.map((policy) => [policy.guid, policy])), [policies]);
  const [chosen, setChosen] = useState<Chosen>({});
  const fields = useAgreement();
  const assign = useAssign();
  const isChosen = Object.keys(chosen).length > 0;
  const isDone = assign.accepted !== null;
  const judgement = useJudgement('svc_set_group_policy', commandArgs(group.guid, chosen), isChosen && !isDone);
  const judged = judgement.answer?.judgement;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queries.directory.groups.preview.queryOptions({
      input: { connection: connection.id, guid: group.guid, policies: { ...chosen } },
    }),
    enabled: isChosen && !isDone,
    placeholderData: keepPreviousData,
  });
  // After the change, what would change is nothing: the dialog keeps what was sent.
  const [sent, setSent] = useState<Sent | null>(null);
  const preview = sent?.preview ?? (isChosen && error === null && !isPlaceholderData ? data : undefined);
  const act = effectWords(group, preview);
  const missing = whatIsMissing(isChosen, preview) ?? waitsFor(judgement);
  const isUnderWay = assign.runner.state.kind === 'running' || (assign.isReading && !isDone);
  const send = async () => {
    const agreement = fields.submit(judged);
    if (preview === undefined || missing !== null || agreement === null) return;
    setSent({ preview, group });
    const result = await assign.send({ group, chosen, preview, agreement });
    if (result === null) setSent(null);
    else announce(result.message);
  };
  return (
    <Dialog
      title={`Assign policies to ${group.name}`}
      isOpen
      onClose={onClose}
      size="large"
      tone="connection"
      footer={
        isDone ? (
          <Button tone="primary" onPress={onClose} autoFocus>
            Close
          </Button>
        ) : (
          <>
            <span className={styles['price']}>3 calls: look, change, look again</span>
            <Button onPress={onClose}>Cancel</Button>
            <ConfirmButton
              judgement={judged}
              lock={writeRefusal}
              reason={isUnderWay ? 'The request is under way.' : missing}
              onConfirm={() => void send()}
            >
              {buttonWords(act, connection)}
            </ConfirmButton>
          </>
        )
      }
    >
      <div className={styles['form']}>
        {isDone ? null : <PolicyChoices group={group} policies={policies} chosen={chosen} onChange={setChosen} />}
        {error !== null && !isDone ? (
          <Banner
            tone="bad"
            action={
              <Button size="small" onPress={() => void refetch()}>
                Try again
              </Button>
            }
          >
            Before and after could not be worked out: {asSentence(asCordonError(error).message)}
          </Banner>
        ) : preview !== undefined ? (
          <AssignPreview
            preview={preview}
            isSent={isDone}
            group={sent?.group ?? group}
            below={below}
            policies={known}
          />
        ) : isChosen ? (
          <SkeletonLines
            lines={3}
            label={`Working out what would change, ${calls(readingsOf(group, chosen, known))}`}
          />
        ) : (
          <p className={styles['note']}>
            Choose a policy above: what it would change is shown here before anything is sent.
          </p>
        )}
        {isDone ? null : (
          <>
            <TextArea
              label="Reason"
              value={fields.reason}
              onChange={fields.setReason}
              isRequired
              rows={2}
              maxLength={255}
              error={fields.problems.reason}
              description="Kept in the incident log. The service itself takes no reason for this."
            />
            {isChosen ? <GuardNotes view={judgement} /> : null}
            <TypedConfirmation view={judgement} fields={fields} />
          </>
        )}
        {assign.refused === null ? null : <Banner tone="bad">{assign.refused}</Banner>}
        {isDone ? (
          <AssignSteps assign={assign} chosen={chosen} below={below} reason={fields.reason} />
        ) : (
          <RunNote runner={assign.runner} />
        )}
      </div>
    </Dialog>
  );
}

/** What was shown when it was sent: before and after stay what they were. */
interface Sent {
  readonly preview: GroupChangePreview;
  readonly group: GroupNode;
}

/** The effect, as the button says it. */
function effectWords(group: GroupNode, preview: GroupChangePreview | undefined): string {
  const changed = preview === undefined ? [] : changedProducts(preview);
  if (preview === undefined || changed.length === 0) return `Set the policies of ${group.name}`;
  const products = changed.map(({ product }) => productTitle(product)).join(', ');
  const computers = `${formatCount(preview.computers)} ${preview.computers === 1 ? 'computer' : 'computers'}`;
  return `Set the ${products} ${changed.length === 1 ? 'policy' : 'policies'} of ${group.name}, ${computers},`;
}

function whatIsMissing(isChosen: boolean, preview: GroupChangePreview | undefined): string | null {
  if (!isChosen) return 'Choose a policy first.';
  if (preview === undefined) return 'What would change is not known yet.';
  return changedProducts(preview).length === 0 ? 'Nothing would change.' : null;
}

function waitsFor({ answer, refusal, failed }: JudgementView): string | null {
  if (failed !== null) return 'The guard rules could not be asked.';
  return refusal ?? (answer === undefined ? 'The guard rules are being asked.' : null);
}
