import type { UseMutationResult } from '@tanstack/react-query';

import type { ChainState } from '#shared/contract/local.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './IncidentLogScreen.module.css';

export type Verifying = UseMutationResult<ChainState, Error, void>;

interface ChainStatusProps {
  readonly verifying: Verifying;
  /** Shows the log as it was around that entry. */
  readonly onShowAll: () => void;
  readonly onShow: (entry: string) => void;
}

/** What going over the chain of hashes found; nothing until somebody asks. */
export function ChainStatus({ verifying, onShowAll, onShow }: ChainStatusProps) {
  const { data, error, isPending } = verifying;
  if (isPending) {
    return (
      <p className={styles['chain']} role="status">
        Going over the chain of hashes…
      </p>
    );
  }
  if (error !== null) return <Banner tone="bad">Could not load the chain: {asCordonError(error).message}</Banner>;
  if (data === undefined) return null;
  if (data.broken !== null) {
    const { seq, id, at, what } = data.broken;
    const acts = (
      <>
        {id === null ? null : <Button onPress={() => onShow(id)}>Show entry {seq}</Button>}
        <Button onPress={onShowAll}>Show all entries</Button>
      </>
    );
    return (
      <Banner tone="bad" action={acts}>
        <strong>The chain is broken at entry {seq}</strong>
        {at === null ? null : (
          <>
            {' '}
            of <Time at={at} form="exact" />
          </>
        )}
        : {what}. The {formatCount(data.checked)}{' '}
        {formOf(data.checked, ['entry before it is as it was', 'entries before it are as they were'])} written; from it
        on, the chain proves nothing.
      </Banner>
    );
  }
  return (
    <div className={styles['chain']} role="status">
      <span className={styles['holds']}>✓ Hash chain intact</span>
      {data.head === null ? (
        <span>The log is empty.</span>
      ) : (
        <>
          <span>
            {counted(data.checked, nouns.entry)}, checked <Time at={data.at} form="clock" />. Newest hash
          </span>
          <code className={styles['hash']} title={data.head.hash}>
            {data.head.hash.slice(0, 16)}…
          </code>
          <CopyButton text={`${data.head.seq} ${data.head.hash}`} what="number and hash" />
          <span className={styles['hint']}>
            Store this hash elsewhere to detect tampering up to entry {data.head.seq}.
          </span>
        </>
      )}
    </div>
  );
}
