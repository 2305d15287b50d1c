import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

import type { ForwarderStatus, InstanceDetail } from '#shared/contract/instances.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tabs, type TabSpec } from '../../ui/Toolbar.tsx';
import { AddressesTab } from './AddressesTab.tsx';
import { InstanceDialogs } from './InstanceDialogs.tsx';
import { InstanceHeader } from './InstanceHeader.tsx';
import styles from './InstanceScreen.module.css';
import { ListTab } from './ListTab.tsx';
import { OutputTab } from './OutputTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { instanceTabs, type InstanceAct, type InstanceSearch, type InstanceTab } from './search.ts';
import { SettingsTab } from './SettingsTab.tsx';
import { SideCards } from './SideCards.tsx';
import { t } from './text.ts';
import { useInstanceKeys } from './use-instance-keys.ts';

/** One instance: how it is, where it is reached, who calls it, and how it is set. */
export function InstanceScreen() {
  const { queries } = useApi();
  const { id } = useParams({ from: '/instances/$id' });
  const list = useQuery(queries.instances.list.queryOptions());
  const { data, error, refetch } = useQuery(queries.instances.detail.queryOptions({ input: { id } }));
  const failure = data === undefined ? (error ?? list.error) : null;
  if (failure !== null) {
    const known = asCordonError(failure);
    if (known.code === 'unknown_instance') return <Gone />;
    return <ErrorState error={known} title={t.couldNotLoadInstance} onRetry={() => void refetch()} />;
  }
  if (data === undefined || list.data === undefined) {
    return (
      <div className={styles['loading']}>
        <SkeletonLines lines={10} label={t.loadingTheInstance} />
      </div>
    );
  }
  return <Screen key={id} detail={data} server={list.data.server} />;
}

function Screen({ detail, server }: { readonly detail: InstanceDetail; readonly server: ForwarderStatus }) {
  const search = useSearch({ from: '/instances/$id' });
  const navigate = useNavigate({ from: '/instances/$id' });
  const change = (next: Partial<InstanceSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const act = (next: InstanceAct | undefined) => change({ act: next });
  const tabs = tabsOf(detail, server);
  const tab = tabs.find(({ id }) => id === search.tab)?.id ?? 'requests';
  const back = () => void navigate({ to: '/instances', search: {} });
  useInstanceKeys({ row: detail.row, server, act, tab: (index) => change({ tab: tabOf(tabs[index]?.id) }), back });
  return (
    <div className={styles['screen']}>
      <InstanceHeader row={detail.row} server={server} onAct={act} />
      {detail.row.warnings.map((warning) => (
        <Banner key={warning} tone="warning">
          {warning}
        </Banner>
      ))}
      <div className={styles['columns']}>
        <div className={styles['side']}>
          <SideCards detail={detail} onAct={act} />
        </div>
        <div className={styles['main']}>
          <Tabs label={t.aboutThisInstance} selected={tab} onSelect={(id) => change({ tab: tabOf(id) })} tabs={tabs} />
        </div>
      </div>
      <InstanceDialogs detail={detail} server={server} act={search.act} onClose={() => act(undefined)} onGone={back} />
    </div>
  );
}

function tabsOf(detail: InstanceDetail, server: ForwarderStatus): readonly TabSpec[] {
  const { row } = detail;
  const { program } = row.instance;
  const { kind } = program;
  const tabs: TabSpec[] = [
    { id: 'requests', title: 'Requests', content: <RequestsTab row={row} server={server} /> },
    { id: 'addresses', title: 'Addresses', content: <AddressesTab recipes={detail.recipes} /> },
    { id: 'settings', title: 'Settings', content: <SettingsTab instance={row.instance} /> },
  ];
  if (kind === 'managed') tabs.push({ id: 'output', title: 'Output', content: <OutputTab lines={detail.output} /> });
  if (program.kind === 'builtin' && program.builtin.service !== 'webhook')
    tabs.push({ id: 'list', title: t.published, content: <ListTab detail={detail} /> });
  return tabs;
}

function tabOf(id: string | undefined): InstanceTab | undefined {
  return instanceTabs.find((each) => each === id);
}

function Gone() {
  return (
    <EmptyState title={t.instanceNotFound} action={<Link href="/instances">{t.backInstances}</Link>}>
      {t.removedElsewhere}
    </EmptyState>
  );
}
