import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import { pendingTooLongMs } from '#shared/model/isolation.ts';

import { Banner } from '../../ui/Banner.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import { Receipt } from '../../ui/isolation/Receipt.tsx';
import { StateMachine } from '../../ui/isolation/StateMachine.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import styles from './ComputerScreen.module.css';
import { RevealDialog } from './RevealDialog.tsx';

/** The state machine with the present state lit, since when, and the receipt of what was asked for. */
export function IsolationCard({ detail }: { readonly detail: ComputerDetail }) {
  const { row, receipt, stateSince } = detail;
  const [revealing, setRevealing] = useState(false);
  const pending = row.isolation === 'pending_start' || row.isolation === 'pending_stop';
  const tooLong = useFromNow(
    (now) => pending && stateSince !== null && now - Date.parse(stateSince) > pendingTooLongMs,
  );
  const held = pending || row.isolation === 'isolated';
  useKey('computer.reveal', () => setRevealing(true), held);
  return (
    <Card
      title="Isolation"
      aside={
        stateSince === null ? null : (
          <>
            for at least <Time at={stateSince} form="age" focusable />
          </>
        )
      }
    >
      <StateMachine state={row.isolation} />
      {row.isolation === 'unavailable' ? (
        <p className={styles['note']}>
          Not available: the policy or the system of this computer does not allow isolation.
        </p>
      ) : null}
      {row.isolation === 'unknown' ? (
        <p className={styles['note']}>The service named a state that Cordon does not know; see the record.</p>
      ) : null}
      {tooLong ? (
        <Banner tone="warning">
          Waiting too long: the agent has not answered for more than ten minutes. It answers when the computer is online
          again.
        </Banner>
      ) : null}
      {receipt === null ? (
        <p className={styles['note']}>Nothing was asked for from here.</p>
      ) : (
        <Receipt receipt={receipt} />
      )}
      {held ? (
        <dl className={styles['facts']}>
          <dt>Ends</dt>
          <dd>never by itself</dd>
          <dt>Unlock code</dt>
          <dd>
            <span className={styles['masked']} role="img" aria-label="hidden">
              ••••••••
            </span>{' '}
            <Link onPress={() => setRevealing(true)}>reveal…</Link>
          </dd>
        </dl>
      ) : null}
      <RevealDialog detail={detail} isOpen={revealing} onClose={() => setRevealing(false)} />
    </Card>
  );
}
