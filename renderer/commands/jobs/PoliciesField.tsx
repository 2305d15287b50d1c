import { Banner } from '../../ui/Banner.tsx';
import type { ChosenPolicies } from '../directory/assignable.ts';
import { PolicyChoices } from '../directory/PolicyChoices.tsx';
import { usePolicies } from '../directory/use-directory.ts';
import styles from './jobs.module.css';
import { t } from './text.ts';

interface PoliciesFieldProps {
  readonly chosen: ChosenPolicies;
  readonly onChange: (chosen: ChosenPolicies) => void;
  readonly problem: string | null;
}

/** Policies that all the groups get; the plan shows what each of them has now. */
export function PoliciesField({ chosen, onChange, problem }: PoliciesFieldProps) {
  const { items: policies = [], error } = usePolicies();
  const trouble = error === null ? problem : `Could not load the policies: ${error.message}`;
  return (
    <div className={styles['part']} role="group" aria-label={t.policies}>
      <PolicyChoices policies={policies} chosen={chosen} onChange={onChange} />
      {trouble === null ? null : <Banner tone="bad">{trouble}</Banner>}
    </div>
  );
}
