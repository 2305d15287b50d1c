import type { RequestEntry } from '#shared/contract/instances.ts';
import { formatMeasured } from '#shared/text/durations.ts';
import { formatBytes } from '#shared/text/numbers.ts';

import { CopyButton } from '../../ui/CopyButton.tsx';
import { PhaseNumbers } from './PhaseBar.tsx';
import { isCut, totalMs } from './request-log.ts';
import styles from './RequestsTab.module.css';
import { t } from './text.ts';
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
    <section className={styles['detail']} aria-label={t.requestCursor}>
      {entry === undefined ? (
        <p className={styles['hint']}>{t.moveRequest}</p>
      ) : (
        <>
          <p className={styles['line']}>
            <b className={styles['mono']}>
              {entry.method} {entry.path}
            </b>
            <span>{entry.status}</span>
            <span className={styles['dim']}>{t.fromOf(entry.protocol, entry.client)}</span>
          </p>
          <PhaseNumbers entry={entry} />
          <p className={styles['line']}>
            <span>
              {t.allReceived(formatMeasured(totalMs(entry)), formatBytes(entry.received), formatBytes(entry.sent))}
            </span>
            <span>{sources[entry.source]}</span>
            {!isCut(entry) ? null : (
              <span className={styles['bad']}>
                {t.cutShortBy(entry.endedBy === 'cordon' ? '' : t.the, endWords[entry.endedBy])}
              </span>
            )}
            {entry.reason === null ? null : <span className={styles['mono']}>{entry.reason}</span>}
            {entry.alias === null ? null : <span className={styles['warn']}>{t.calledFormer(entry.alias)}</span>}
            <span className={styles['dim']}>
              {t.request(entry.id)} <CopyButton text={entry.id} what={t.requestId} />
            </span>
          </p>
        </>
      )}
    </section>
  );
}
