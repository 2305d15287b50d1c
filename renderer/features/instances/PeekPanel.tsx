import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';

import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Time } from '../../ui/Time.tsx';
import { formatCount } from '../../ui/time.ts';
import { Card } from '../../ui/Toolbar.tsx';
import { Address } from './Address.tsx';
import { ExposureControl } from './ExposureControl.tsx';
import { RequestsChart } from './LastHour.tsx';
import styles from './PeekPanel.module.css';
import { EnabledControl } from './RunControls.tsx';
import type { InstanceAct } from './search.ts';
import { State } from './State.tsx';
import { accessWords, formatRate, kindWords, routeUrl } from './words.ts';

interface PeekPanelProps {
  readonly row: InstanceRow;
  readonly server: ForwarderStatus;
  readonly onClose: () => void;
  readonly onOpen: (act?: InstanceAct) => void;
}

/** One instance beside the list: its address, its switches, its last hour. */
export function PeekPanel({ row, server, onClose, onOpen }: PeekPanelProps) {
  const { instance, health, traffic } = row;
  const { queries } = useApi();
  const { data } = useQuery(queries.instances.detail.queryOptions({ input: { id: instance.id } }));
  return (
    <aside className={styles['panel']} aria-label="Instance at the cursor">
      <div className={styles['close']}>
        <IconButton label="Close the panel" size="small" onPress={onClose}>
          <X size={14} />
        </IconButton>
      </div>
      <header>
        <h2 className={styles['title']} title={instance.name}>
          {instance.name}
        </h2>
        <p className={styles['sub']}>
          <State health={health} /> for <Time at={health.since} form="age" /> · {kindWords[instance.program.kind]} ·
          port {instance.listenPort}
        </p>
        {health.reason === null ? null : <p className={styles['reason']}>{health.reason}</p>}
      </header>
      {row.warnings.length === 0 ? null : (
        <div className={styles['warnings']}>
          {row.warnings.map((warning) => (
            <Banner key={warning} tone="warning">
              {warning}
            </Banner>
          ))}
        </div>
      )}
      <Card title="Route">
        <Address text={routeUrl(server, row)} what="address of the route" />
        <ExposureControl row={row} />
        <EnabledControl row={row} />
      </Card>
      <Card title="Last hour" aside={`${formatRate(traffic.requestsPerSecond)} requests/s now`}>
        {data === undefined ? <div className={styles['chart']} /> : <RequestsChart series={data.traffic} />}
      </Card>
      <Card title="About">
        <KeyValue
          facts={[
            { name: 'Access', value: accessWords[instance.access.kind] },
            { name: 'Last request', value: <Time at={traffic.lastRequest} unknown="none yet" /> },
            { name: 'Running now', value: formatCount(traffic.running) },
            { name: 'Requests', value: `${formatCount(traffic.total)}, ${formatCount(traffic.failures)} errors` },
          ]}
        />
      </Card>
      <div className={styles['actions']}>
        <Button tone="primary" onPress={() => onOpen()}>
          Open <KeyCap keys="Enter" />
        </Button>
        <Button onPress={() => onOpen('probe')} aria-haspopup="dialog">
          Probe… <KeyCap keys="t" />
        </Button>
        <Button onPress={() => onOpen('edit')} aria-haspopup="dialog">
          Change… <KeyCap keys="e" />
        </Button>
      </div>
    </aside>
  );
}
