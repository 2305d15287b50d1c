import { useState } from 'react';

import type { JobDetail } from '#shared/model/job.ts';

import { agreedFacts, LeftOutList } from '../../commands/jobs/PlanReview.tsx';
import { wavesWords } from '../../commands/jobs/job-words.ts';
import { useNames } from '../../commands/jobs/use-names.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Time } from '../../ui/Time.tsx';
import { formatCount } from '../../ui/time.ts';
import { asSentence } from '../../ui/words.ts';
import styles from './jobs.module.css';

/** The plan behind a job: reason, waves, who was left out, and the digest that tells which plan it was. */
export function AgreedTo({ detail: { plan } }: { readonly detail: JobDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { action, createdAt, createdBy, digest, leftOut, because, waves, stopShare, tier } = plan;
  const names = useNames(isOpen && (action.kind === 'move' || action.kind === 'policies'));
  const out = leftOut.length === 0 ? '' : ` · ${formatCount(leftOut.length)} left out`;
  return (
    <Disclosure title="What was agreed to" summary={`${action.reason}${out}`} isOpen={isOpen} onToggle={setOpen}>
      <div className={styles['agreed']}>
        <KeyValue
          facts={[
            ...agreedFacts(action, names),
            {
              name: 'Planned',
              value: (
                <>
                  <Time at={createdAt} form="exact" focusable /> by {createdBy}
                </>
              ),
            },
            {
              name: 'Waves',
              value: `${wavesWords(waves)}; it stops after ${Math.round(stopShare * 100)} % failures`,
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
