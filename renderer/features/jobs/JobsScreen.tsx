import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import type { JobPlan, JobSummary } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { PlanDialog } from '../../commands/jobs/PlanDialog.tsx';
import { countsWords, isRunning, phaseView } from '../../commands/jobs/job-words.ts';
import { useUi } from '../../state/ui.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import styles from './jobs.module.css';
import { jobColumns } from './job-columns.tsx';
import { WriteNote } from './WriteNote.tsx';
import { t } from './text.ts';

const skeletonRows = 6;

/** Bulk work on this connection, newest first. */
export function JobsScreen() {
  const search = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const setOverlay = useUi((ui) => ui.setOverlay);
  const [plan, setPlan] = useState<JobPlan | null>(null);
  const { data, error, refetch } = useQuery(queries.jobs.list.queryOptions({ input: { connection } }));
  const toImport = (act: 'import' | undefined) => void navigate({ search: { act }, replace: true });
  useKey('jobs.import', () => toImport('import'));
  useKey('jobs.undo', () => setOverlay('undo'));
  const source = useMemo(
    () => ({
      count: data === undefined ? skeletonRows : data.length,
      row: (index: number) => data?.[index],
      want: () => undefined,
    }),
    [data],
  );
  const running = data?.filter(isRunning).length ?? 0;
  return (
    <Screen>
      <ScreenBar
        title={t.jobs}
        facts={
          data === undefined || data.length === 0 ? undefined : (
            <span>
              {formatCount(data.length)}
              {running === 0 ? t.noneRunning : t.runningOf(formatCount(running))}
            </span>
          )
        }
      >
        <Button onPress={() => setOverlay('undo')} aria-haspopup="dialog">
          {t.undoHistory} <KeyCap keys="Shift+U" />
        </Button>
        <Button onPress={() => toImport('import')} aria-haspopup="dialog">
          {t.planFileMore} <KeyCap keys="Shift+I" />
        </Button>
      </ScreenBar>
      <WriteNote />
      <div className={styles['table']}>
        {error !== null && data === undefined ? (
          <ErrorState error={asCordonError(error)} title={t.couldNotLoadJobs} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={t.jobs}
            source={source}
            columns={jobColumns}
            rowKey={({ id }) => id}
            describe={describe}
            onOpen={({ id }) => void navigate({ to: '/jobs/$id', params: { id }, search: {} })}
            isBusy={data === undefined}
            empty={<NoJobs />}
          />
        )}
      </div>
      {search.act === 'import' && plan === null ? (
        <ImportDialog onPlan={setPlan} onClose={() => toImport(undefined)} />
      ) : null}
      {plan === null ? null : (
        <PlanDialog
          plan={plan}
          origin={t.plannedUtc(plan.createdBy, plan.createdAt.slice(0, 16).replace('T', ' '))}
          onClose={() => {
            setPlan(null);
            toImport(undefined);
          }}
        />
      )}
    </Screen>
  );
}

function NoJobs() {
  const openBulk = useUi((ui) => ui.openBulk);
  return (
    <EmptyState
      title={t.noJobsYet}
      action={
        <Button onPress={() => openBulk('isolate', [])} aria-haspopup="dialog">
          {t.isolateManyComputers}
        </Button>
      }
    >
      {t.jobIsolates} <Link href="/computers">{t.listOfComputers}</Link>
      {t.startListNames}
    </EmptyState>
  );
}

function describe(summary: JobSummary): string {
  return `${summary.title}, ${phaseView(summary).word}, ${countsWords(summary.counts)}`;
}
