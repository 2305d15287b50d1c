import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Fragment, useState, type ComponentType } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { CopyAsDialog } from '../../commands/CopyAsDialog.tsx';
import { LabelsDialog } from '../../commands/LabelsDialog.tsx';
import { MoveComputerDialog } from '../../commands/move/MoveComputerDialog.tsx';
import type { MoveRequest } from '../../commands/move/types.ts';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { CodeView } from '../../ui/CodeView.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Tabs } from '../../ui/Toolbar.tsx';
import { AboutCard } from './AboutCard.tsx';
import { ActivityTab } from './ActivityTab.tsx';
import { ComputerHeader } from './ComputerHeader.tsx';
import styles from './ComputerScreen.module.css';
import { IsolateDialog } from './IsolateDialog.tsx';
import { IsolationCard } from './IsolationCard.tsx';
import { LogTab } from './LogTab.tsx';
import { ReleaseDialog } from './ReleaseDialog.tsx';
import { tabIds, type ComputerSearch } from './search.ts';
import { t } from './text.ts';
import { useComputerKeys } from './use-computer-keys.ts';
import { VulnerabilitiesTab } from './VulnerabilitiesTab.tsx';

export interface ComputerScreenProps {
  /** What other features show of a computer: no feature imports another, so whoever puts them together hands it in. */
  readonly Trajectory: ComponentType<{ readonly row: ComputerRow }>;
}

/** One computer: what it is, whether it is cut off, what it saw, and what was done to it. */
export function ComputerScreen({ Trajectory }: ComputerScreenProps) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { guid } = useParams({ from: '/computers/$guid' });
  const { data, error, refetch } = useQuery(queries.computers.detail.queryOptions({ input: { connection, guid } }));
  // A failed repetition leaves what was read before: the last view stays readable.
  if (error !== null && data === undefined) {
    return (
      <ScreenErrorState error={asCordonError(error)} title={t.couldNotLoadComputer} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) {
    return (
      <div className={styles['loading']}>
        <SkeletonLines lines={10} label={t.loadingTheComputer} />
      </div>
    );
  }
  if (data === null) return <Unknown guid={guid} />;
  return <Computer detail={data} Trajectory={Trajectory} />;
}

/** Tabs that need the whole width: the cards beside them make room. */
const wideTabs: ReadonlySet<string> = new Set(['trajectory']);

function Computer({ detail, Trajectory }: ComputerScreenProps & { readonly detail: ComputerDetail }) {
  const search = useSearch({ from: '/computers/$guid' });
  const navigate = useNavigate({ from: '/computers/$guid' });
  const change = (next: Partial<ComputerSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const act = (next: ComputerSearch['act']) => change({ act: next });
  const close = () => act(undefined);
  const tab = search.tab ?? 'activity';
  const readAhead = useReadAhead(detail.row.guid, search.q ?? '');
  const openTab = (next: ComputerSearch['tab']) => {
    readAhead(next);
    change({ tab: next });
  };
  useComputerKeys({
    guid: detail.row.guid,
    act,
    tab: openTab,
    back: () => void navigate({ to: '/computers', search: {} }),
  });
  return (
    <div className={styles['screen']}>
      <ComputerHeader detail={detail} onAct={act} />
      {detail.row.vanishedAt === null ? null : (
        <Banner tone="warning">
          {t.serviceNoLonger} <Time at={detail.row.vanishedAt} form="exact" />
          {t.lastKnownValues}
        </Banner>
      )}
      <div className={cx(styles['columns'], wideTabs.has(tab) && styles['wide'])}>
        {wideTabs.has(tab) ? null : (
          <div className={styles['side']}>
            <IsolationCard detail={detail} />
            <AboutCard detail={detail} onLabel={() => act('labels')} />
          </div>
        )}
        <div className={styles['main']}>
          <Tabs
            label={t.aboutThisComputer}
            selected={tab}
            onSelect={(id) => openTab(tabIds.find((each) => each === id))}
            tabs={[
              { id: 'activity', title: 'Activity', content: <ActivityTab row={detail.row} /> },
              { id: 'trajectory', title: 'Trajectory', content: <Trajectory key={detail.row.guid} row={detail.row} /> },
              { id: 'log', title: 'Incident log', content: <LogTab guid={detail.row.guid} /> },
              {
                id: 'vulnerabilities',
                title: 'Vulnerabilities',
                content: <VulnerabilitiesTab key={detail.row.guid} row={detail.row} />,
              },
              { id: 'record', title: 'JSON', content: <CodeView value={detail.record} label={t.jsonRecord} /> },
            ]}
          />
        </div>
      </div>
      <Dialogs detail={detail} act={search.act} onClose={close} />
    </div>
  );
}

/** The last drawing is a large answer of the host, and no call: it is asked for before its tab is made, not after. */
function useReadAhead(guid: string, query: string) {
  const { queries, cache } = useApi();
  const { id: connection } = useActiveConnection();
  return (tab: ComputerSearch['tab']) => {
    if (tab !== 'trajectory') return;
    void cache.prefetchQuery(queries.trajectory.stored.queryOptions({ input: { connection, guid, query } }));
  };
}

interface DialogsProps {
  readonly detail: ComputerDetail;
  readonly act: ComputerSearch['act'];
  readonly onClose: () => void;
}

/** What the buttons and keys of this screen open. Those that send something stay, so that their run is followed. */
function Dialogs({ detail, act, onClose }: DialogsProps) {
  const { row } = detail;
  const [moving, setMoving] = useState<MoveRequest | null>(null);
  return (
    <Fragment key={row.guid}>
      <IsolateDialog detail={detail} isOpen={act === 'isolate'} onClose={onClose} />
      <ReleaseDialog detail={detail} isOpen={act === 'release'} onClose={onClose} />
      {act === 'move' || moving !== null ? (
        <MoveComputerDialog
          key={moving === null ? 'there' : 'back'}
          request={moving ?? { guid: row.guid, hostname: row.hostname }}
          onClose={() => {
            setMoving(null);
            onClose();
          }}
          onUndo={setMoving}
        />
      ) : null}
      {act === 'note' ? <NoteDialog target={{ guid: row.guid, label: row.hostname }} onClose={onClose} /> : null}
      {act === 'labels' ? <LabelsDialog guids={[row.guid]} onClose={onClose} /> : null}
      {act === 'copy' ? <CopyAsDialog row={row} onClose={onClose} /> : null}
    </Fragment>
  );
}

function Unknown({ guid }: { readonly guid: string }) {
  return (
    <EmptyState title={t.computerNotKnown} action={<Link href="/computers">{t.backComputers}</Link>}>
      {t.neitherLocal(guid)}
    </EmptyState>
  );
}
