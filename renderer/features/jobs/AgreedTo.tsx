import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { AgreedPlan } from '#shared/model/job.ts';
import { asSentence } from '#shared/sentence.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { agreedFacts, LeftOutList } from '../../commands/jobs/PlanReview.tsx';
import { stopShareWords, wavesWords } from '../../commands/jobs/job-words.ts';
import { useNames } from '../../commands/jobs/use-names.ts';
import { Banner } from '../../ui/Banner.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './jobs.module.css';
import { t } from './text.ts';

/** The plan behind a job: reason, waves, who was skipped, and the digest that tells which plan it was. Read once: it never changes. */
export function AgreedTo({ job }: { readonly job: string }) {
  const { data: plan, error } = useQuery(useApi().queries.jobs.agreed.queryOptions({ input: { id: job } }));
  if (error !== null)
    return (
      <Banner tone="bad">
        {t.couldNotLoadApproved} {asCordonError(error).message}
      </Banner>
    );
  return plan === undefined ? <SkeletonLines lines={1} label={t.loadingApproved} /> : <Agreed plan={plan} />;
}

function Agreed({ plan }: { readonly plan: AgreedPlan }) {
  const [isOpen, setOpen] = useState(false);
  const { action, createdAt, createdBy, digest, leftOut, because, waves, stopShare, tier } = plan;
  const names = useNames(isOpen && (action.kind === 'move' || action.kind === 'policies'));
  const out = leftOut.length === 0 ? '' : ` · ${formatCount(leftOut.length)} skipped`;
  return (
    <Disclosure title={t.approvedPlan} summary={`${action.reason}${out}`} isOpen={isOpen} onToggle={setOpen}>
      <div className={styles['agreed']}>
        <KeyValue
          facts={[
            ...agreedFacts(action, names),
            {
              name: 'Planned',
              value: (
                <>
                  <Time at={createdAt} form="exact" focusable /> {t.by(createdBy)}
                </>
              ),
            },
            {
              name: 'Waves',
              value: `${wavesWords(waves)}; ${stopShareWords(stopShare)}`,
            },
            { name: 'Tier', value: `${tier}. ${because.map(asSentence).join(' ')}` },
            {
              name: 'Digest',
              value: (
                <>
                  {digest} <CopyButton text={digest} what="digest" />
                </>
              ),
              mono: true,
            },
          ]}
        />
        <LeftOutList leftOut={leftOut} />
      </div>
    </Disclosure>
  );
}
