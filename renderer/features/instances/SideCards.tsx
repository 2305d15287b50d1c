import type { HealthChange, InstanceDetail } from '#shared/contract/instances.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { ExposureControl } from './ExposureControl.tsx';
import styles from './InstanceScreen.module.css';
import { RequestsChart, TimesChart } from './LastHour.tsx';
import { EnabledControl, PortControl } from './RunControls.tsx';
import type { InstanceAct } from './search.ts';
import { State } from './State.tsx';
import { t } from './text.ts';
import { useGuard } from './use-guard.ts';
import { formatRate, trafficWords } from './words.ts';

/** How it is, its switches, its last hour and its history. */
export function SideCards({
  detail,
  onAct,
}: {
  readonly detail: InstanceDetail;
  readonly onAct: (act: InstanceAct) => void;
}) {
  const { row, traffic, history } = detail;
  return (
    <>
      <Card title={t.switches}>
        <ExposureControl row={row} />
        <EnabledControl row={row} />
        <PortControl row={row} onAct={onAct} />
      </Card>
      <Card
        title={t.lastHour}
        aside={t.requestsSRunning(formatRate(row.traffic.requestsPerSecond), formatCount(row.traffic.running))}
      >
        <div className={styles['charts']}>
          <RequestsChart series={traffic} />
          <TimesChart series={traffic} />
        </div>
        <p className={styles['dimLine']}>
          {t.sinceStart(trafficWords(row.traffic))} <Time at={row.traffic.lastRequest} unknown="never" />
        </p>
      </Card>
      <Health detail={detail} history={history} onAct={onAct} />
    </>
  );
}

function Health({
  detail,
  history,
  onAct,
}: {
  readonly detail: InstanceDetail;
  readonly history: readonly HealthChange[];
  readonly onAct: (act: InstanceAct) => void;
}) {
  const { client } = useApi();
  const guard = useGuard();
  const { instance, health } = detail.row;
  const newest = history.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, 8);
  return (
    <Card
      title={t.health}
      aside={
        <>
          {t.lookedAt} <Time at={health.checkedAt} unknown="never" />
        </>
      }
    >
      <p className={styles['now']}>
        <State health={health} /> {t.for} <Time at={health.since} form="age" focusable />
      </p>
      {health.reason === null ? null : <p className={styles['reason']}>{health.reason}</p>}
      {newest.length === 0 ? null : (
        <ol className={styles['history']} aria-label={t.changesHealth}>
          {newest.map((change) => (
            <li key={`${change.at} ${change.state}`}>
              <Time at={change.at} form="clock" />
              <State health={{ ...change, since: change.at, checkedAt: null }} />
              <span className={styles['why']}>{change.reason}</span>
            </li>
          ))}
        </ol>
      )}
      <div className={styles['cardActions']}>
        <Button
          size="small"
          onPress={() => guard.run(() => client.instances.checkNow({ id: instance.id }))}
          reason={guard.isPending ? t.checking : null}
        >
          {t.checkNow}
        </Button>
        {instance.program.kind === 'external' ? null : (
          <Button size="small" onPress={() => onAct('restart')} aria-haspopup="dialog">
            {t.restartMore}
          </Button>
        )}
      </div>
      {guard.error === null ? null : (
        <p className={styles['failed']} role="alert">
          {guard.error.message}
        </p>
      )}
    </Card>
  );
}
