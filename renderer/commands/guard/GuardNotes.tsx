import { computerRoleTitles } from '#shared/model/guard.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './guard.module.css';
import type { JudgementView } from './use-judgement.ts';

/** Roles, why more is asked than a click, how many isolations the day has seen, and what the change costs. */
export function GuardNotes({ view }: { readonly view: JudgementView }) {
  const { answer, refusal, failed } = view;
  if (failed !== null) return <Banner tone="bad">Could not check the guard rules. Nothing was sent. {failed}</Banner>;
  if (answer === undefined) return null;
  const { judgement, price, undo } = answer;
  return (
    <div className={styles['notes']}>
      <Roles view={view} />
      {refusal === null ? null : (
        <Banner tone="bad">{refusal} Changing the guard rules of the connection is a change of its own.</Banner>
      )}
      {refusal === null && judgement.tier === 3 ? <Banner tone="warning">{judgement.because.join(' ')}</Banner> : null}
      {undo?.possible === false ? <Banner tone="warning">{undo.sentence}</Banner> : null}
      <p className={styles['facts']}>
        Cost: {price.sentence}
        {judgement.rolling === null
          ? ''
          : ` Isolations in the last ${judgement.rolling.hours} hours: ${judgement.rolling.used} of ${judgement.rolling.limit}.`}
        {undo?.possible === true ? ` ${undo.sentence}` : ''}
      </p>
    </div>
  );
}

/** What a person says it is, and what it looks like. */
function Roles({ view }: { readonly view: JudgementView }) {
  const target = view.answer?.target;
  if (target === null || target === undefined || target.roles.length + target.guessedRoles.length === 0) return null;
  return (
    <p className={styles['roles']}>
      {target.roles.map((role) => (
        <Tag key={role} tone="warn">
          {computerRoleTitles[role]}
        </Tag>
      ))}
      {target.guessedRoles.map((role) => (
        <Tag key={role}>looks like: {computerRoleTitles[role]}</Tag>
      ))}
    </p>
  );
}
