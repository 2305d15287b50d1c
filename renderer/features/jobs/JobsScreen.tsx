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
        title="Jobs"
        facts={
          data === undefined || data.length === 0 ? undefined : (
            <span>
              {formatCount(data.length)}
              {running === 0 ? ', none runs' : `, ${formatCount(running)} running`}
            </span>
          )
        }
      >
        <Button onPress={() => setOverlay('undo')} aria-haspopup="dialog">
          Undo history… <KeyCap keys="Shift+U" />
        </Button>
        <Button onPress={() => toImport('import')} aria-haspopup="dialog">
          Plan from a file… <KeyCap keys="Shift+I" />
        </Button>
      </ScreenBar>
      <WriteNote />
      <div className={styles['table']}>
        {error !== null && data === undefined ? (
          <ErrorState error={asCordonError(error)} title="Could not load the jobs" onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label="Jobs"
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
          origin={`Planned by ${plan.createdBy} at ${plan.createdAt.slice(0, 16).replace('T', ' ')} UTC. Before sending, Cordon rechecks the targets; if one of them has changed, nothing is.`}
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
      title="No jobs yet"
      action={
        <Button onPress={() => openBulk('isolate', [])} aria-haspopup="dialog">
          Isolate many computers…
        </Button>
      }
    >
      A job isolates, releases or moves many computers at once, with a result for each. Select them in the{' '}
      <Link href="/computers">list of computers</Link>, or start from a list of names.
    </EmptyState>
  );
}

function describe(summary: JobSummary): string {
  return `${summary.title}, ${phaseView(summary).word}, ${countsWords(summary.counts)}`;
}
