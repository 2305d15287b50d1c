import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import { pendingTooLongMs } from '#shared/model/isolation.ts';
import { stateMissing, stateStrange } from '#shared/text/isolation.ts';

import { LeaseLeft } from '../../commands/guard/LeaseLeft.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import { Receipt } from '../../ui/isolation/Receipt.tsx';
import { StateMachine } from '../../ui/isolation/StateMachine.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { PolicyWords } from './AboutCard.tsx';
import styles from './ComputerScreen.module.css';
import { LeaseDialog } from './LeaseDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { t } from './text.ts';

/** An isolated computer that was not seen for this long is silent. */
const silentMs = 3_600_000;

/** Why the state is not one of the four: the record names none, or another one. */
function unknownState({ record }: ComputerDetail): string {
  const isolation = record['isolation'];
  const status: unknown = typeof isolation === 'object' && isolation !== null ? Reflect.get(isolation, 'status') : null;
  return typeof status === 'string' && status !== '' ? stateStrange(status) : stateMissing;
}

/** The state machine with the present state lit, since when, and the receipt of what was asked for. */
export function IsolationCard({ detail }: { readonly detail: ComputerDetail }) {
  const { row, receipt, stateSince, lease } = detail;
  const [revealing, setRevealing] = useState(false);
  const [leasing, setLeasing] = useState(false);
  const pending = row.isolation === 'pending_start' || row.isolation === 'pending_stop';
  const tooLong = useFromNow(
    (now) => pending && stateSince !== null && now - Date.parse(stateSince) > pendingTooLongMs,
  );
  const silent = useFromNow(
    (now) => row.isolation === 'isolated' && (row.lastSeen === null || now - Date.parse(row.lastSeen) > silentMs),
  );
  const held = pending || row.isolation === 'isolated';
  useKey('computer.reveal', () => setRevealing(true), held);
  return (
    <Card
      title={t.isolation}
      aside={
        stateSince === null ? null : (
          <>
            {t.forAtLeast} <Time at={stateSince} form="age" focusable />
          </>
        )
      }
    >
      <StateMachine state={row.isolation} />
      {row.isolation === 'unavailable' ? (
        <p className={styles['note']}>
          {t.notAvailable} <PolicyWords detail={detail} />
          {t.operatingSystem(row.os || t.unknown)}
        </p>
      ) : null}
      {row.isolation === 'unknown' ? <p className={styles['note']}>{unknownState(detail)}</p> : null}
      {tooLong ? <Banner tone="warning">{t.noAgentResponse}</Banner> : null}
      {silent ? <Banner tone="warning">{t.isolatedOffline}</Banner> : null}
      {lease?.trouble === null || lease === null ? null : (
        <Banner tone="bad">
          {t.automaticRelease} {lease.trouble}
        </Banner>
      )}
      {receipt === null ? <p className={styles['note']}>{t.noRequests}</p> : <Receipt receipt={receipt} />}
      {held ? (
        <dl className={styles['facts']}>
          <dt>{t.lease}</dt>
          <dd>
            {lease === null ? t.noExpiry : <LeaseLeft lease={lease} />}{' '}
            <Link onPress={() => setLeasing(true)}>{lease === null ? t.setLease : t.changeMore}</Link>
          </dd>
          {lease === null ? null : (
            <>
              <dt>{t.owner}</dt>
              <dd>
                {lease.holder}
                {lease.note === '' ? '' : `: ${lease.note}`}
              </dd>
            </>
          )}
          <dt>{t.unlockCode}</dt>
          <dd>
            <span className={styles['masked']} role="img" aria-label={t.hidden}>
              ••••••••
            </span>{' '}
            <Link onPress={() => setRevealing(true)}>{t.reveal}</Link> <Link href="/unlock-codes">{t.vault}</Link>
          </dd>
        </dl>
      ) : null}
      <LeaseDialog detail={detail} isOpen={leasing} onClose={() => setLeasing(false)} />
      <RevealDialog detail={detail} isOpen={revealing} onClose={() => setRevealing(false)} />
    </Card>
  );
}
