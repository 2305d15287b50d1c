import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { GroupChangePreview, GroupNode } from '#shared/contract/directory.ts';
import type { CordonError } from '#shared/contract/errors.ts';
import { asSentence } from '#shared/sentence.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { calls } from '../../commands/directory/directory-words.ts';
import type { ChosenPolicies as Chosen } from '../../commands/directory/assignable.ts';
import { PolicyChoices } from '../../commands/directory/PolicyChoices.tsx';
import { usePolicies } from '../../commands/directory/use-directory.ts';
import { buttonWords } from '../../commands/effect.ts';
import { ConfirmButton } from '../../commands/guard/ConfirmButton.tsx';
import { GuardNotes } from '../../commands/guard/GuardNotes.tsx';
import { ReasonField } from '../../commands/guard/ReasonFields.tsx';
import { TypedConfirmation } from '../../commands/guard/TypedConfirmation.tsx';
import { useAgreement, type AgreementFields } from '../../commands/guard/use-agreement.ts';
import { useJudgement, waitsForRules, type JudgementView } from '../../commands/guard/use-judgement.ts';
import { RunNote } from '../../commands/RunNote.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { commandArgs, effectWords, presentOf, readingsOf, whatIsMissing } from './assign-facts.ts';
import styles from './AssignDialog.module.css';
import { AssignPreview } from './AssignPreview.tsx';
import { AssignSteps } from './AssignSteps.tsx';
import { t } from './text.ts';
import { useAssign } from './use-assign.ts';

interface AssignDialogProps {
  readonly group: GroupNode;
  /** The group and those below it. */
  readonly below: readonly GroupNode[];
  readonly onClose: () => void;
}

/** Sets policies of one group: choose, see before and after, say why, send one request, see what came of it. */
export function AssignDialog({ group, below, onClose }: AssignDialogProps) {
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
  const { preview, error, retry } = usePreview(group, chosen, isChosen && !isDone);
  // After the change, what would change is nothing: the dialog keeps what was sent.
  const [sent, setSent] = useState<Sent | null>(null);
  const shown = sent?.preview ?? preview;
  const act = effectWords(group, shown);
  const missing = whatIsMissing(isChosen, shown) ?? waitsForRules(judgement);
  const isUnderWay = assign.runner.state.kind === 'running' || (assign.isReading && !isDone);
  const send = async () => {
    const agreement = fields.submit(judged);
    if (shown === undefined || missing !== null || agreement === null) return;
    setSent({ preview: shown, group });
    const result = await assign.send({ group, chosen, preview: shown, agreement });
    if (result === null) setSent(null);
    else announce(result.message);
  };
  return (
    <Dialog
      title={t.assignPoliciesTo(group.name)}
      isOpen
      onClose={onClose}
      size="large"
      tone="connection"
      footer={
        isDone ? (
          <Button tone="primary" onPress={onClose} autoFocus>
            {t.close}
          </Button>
        ) : (
          <>
            <span className={styles['price']}>{t.plus2Calls}</span>
            <Button onPress={onClose}>{t.cancel}</Button>
            <ConfirmButton
              judgement={judged}
              lock={writeRefusal}
              reason={isUnderWay ? t.requestInProgress : missing}
              onConfirm={() => void send()}
            >
              {buttonWords(act, connection)}
            </ConfirmButton>
          </>
        )
      }
    >
      <div className={styles['form']}>
        {isDone ? null : (
          <>
            <PolicyChoices
              policies={policies}
              chosen={chosen}
              onChange={setChosen}
              present={(product) => presentOf(group, product)}
            />
            {error === null ? null : <PreviewFailed error={error} onRetry={retry} />}
          </>
        )}
        {shown !== undefined ? (
          <AssignPreview preview={shown} isSent={isDone} group={sent?.group ?? group} below={below} policies={known} />
        ) : error !== null ? null : isChosen ? (
          <SkeletonLines lines={3} label={t.calculatingWhat(calls(readingsOf(group, chosen, known)))} />
        ) : (
          <p className={styles['note']}>{t.choosePolicy}</p>
        )}
        {isDone ? null : <Agreeing fields={fields} judgement={judgement} isChosen={isChosen} />}
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

/** What a choice would change; nothing is shown that was worked out for another choice. */
function usePreview(group: GroupNode, chosen: Chosen, isAsked: boolean) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queries.directory.groups.preview.queryOptions({
      input: { connection, guid: group.guid, policies: { ...chosen } },
    }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return {
    preview: isAsked && error === null && !isPlaceholderData ? data : undefined,
    error: error === null ? null : asCordonError(error),
    retry: () => void refetch(),
  };
}

function PreviewFailed({ error, onRetry }: { readonly error: CordonError; readonly onRetry: () => void }) {
  return (
    <Banner
      tone="bad"
      action={
        <Button size="small" onPress={onRetry}>
          {t.tryAgain}
        </Button>
      }
    >
      {t.couldNotCalculate} {asSentence(error.message)}
    </Banner>
  );
}

interface AgreeingProps {
  readonly fields: AgreementFields;
  readonly judgement: JudgementView;
  readonly isChosen: boolean;
}

/** Reason, what the guard rules say, and what they want typed. */
function Agreeing({ fields, judgement, isChosen }: AgreeingProps) {
  return (
    <>
      <ReasonField fields={fields} description={t.keptIncident} />
      {isChosen ? <GuardNotes view={judgement} /> : null}
      <TypedConfirmation view={judgement} fields={fields} />
    </>
  );
}
