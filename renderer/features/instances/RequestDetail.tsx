import type { RequestEntry } from '#shared/contract/instances.ts';
import { formatMeasured } from '#shared/text/durations.ts';
import { formatBytes } from '#shared/text/numbers.ts';

import { CopyButton } from '../../ui/CopyButton.tsx';
import { PhaseNumbers } from './PhaseBar.tsx';
import { isCut, totalMs } from './request-log.ts';
import styles from './RequestsTab.module.css';
import { endWords } from './words.ts';

const sources: Readonly<Record<RequestEntry['source'], string>> = {
  instance: 'Answered by the instance.',
  stale: 'The instance failed: the last good answer was served again.',
  shared: 'Shared: another equal request fetched the answer.',
  cordon: 'Answered by Cordon itself.',
};

/** The request at the cursor in full. As high without one, so that the table does not jump. */
export function RequestDetail({ entry }: { readonly entry: RequestEntry | undefined }) {
  return (
    <section className={styles['detail']} aria-label="Request at the cursor">
      {entry === undefined ? (
        <p className={styles['hint']}>Move to a request to see where its time went.</p>
      ) : (
        <>
          <p className={styles['line']}>
            <b className={styles['mono']}>
              {entry.method} {entry.path}
            </b>
            <span>{entry.status}</span>
            <span className={styles['dim']}>
              {entry.protocol} from {entry.client}
            </span>
          </p>
          <PhaseNumbers entry={entry} />
          <p className={styles['line']}>
            <span>
              {formatMeasured(totalMs(entry))} in all, {formatBytes(entry.received)} received, {formatBytes(entry.sent)}{' '}
              sent.
            </span>
            <span>{sources[entry.source]}</span>
            {!isCut(entry) ? null : (
              <span className={styles['bad']}>
                Cut short by {entry.endedBy === 'cordon' ? '' : 'the '}
                {endWords[entry.endedBy]}.
              </span>
            )}
            {entry.reason === null ? null : <span className={styles['mono']}>{entry.reason}</span>}
            {entry.alias === null ? null : (
              <span className={styles['warn']}>Called by its old name {entry.alias}.</span>
            )}
            <span className={styles['dim']}>
              Request {entry.id} <CopyButton text={entry.id} what="request id" />
            </span>
          </p>
        </>
      )}
    </section>
  );
}
