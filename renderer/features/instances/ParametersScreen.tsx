import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

import type { ParameterRow } from '#shared/contract/instances.ts';
import { exposeAll } from '#shared/model/server-parameter.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { unseen } from '../../ui/unseen.ts';
import { AddParameter } from './AddParameter.tsx';
import { ParameterLine } from './ParameterLine.tsx';
import styles from './ParametersScreen.module.css';
import type { ParametersSearch } from './search.ts';
import { SureDialog } from './SureDialog.tsx';
import { t } from './text.ts';

/** Keys and values as operators know them. The switches of the other screens write the same rows. */
export function ParametersScreen() {
  const { queries } = useApi();
  const { data, error, refetch } = useQuery(queries.instances.parameters.list.queryOptions());
  const search = useSearch({ from: '/instances/parameters' });
  const navigate = useNavigate({ from: '/instances/parameters' });
  const keyBox = useRef<HTMLDivElement>(null);
  const show = (next: ParametersSearch) => void navigate({ search: next, replace: true });
  useKey('parameters.add', () => keyBox.current?.querySelector('input')?.focus());
  useKey('parameters.back', () => void navigate({ to: '/instances', search: {} }), search.edit === undefined);
  const rows = data?.rows;
  const removed = rows?.find(({ key }) => key === search.remove);
  return (
    <Screen>
      <ScreenBar
        title={
          <>
            <Link href="/instances" className={styles['up']}>
              {t.instances}
            </Link>{' '}
            <span aria-hidden="true">▸</span> {t.serverParameters}
          </>
        }
        facts={rows === undefined ? undefined : <span>{t.setTitle(formatCount(rows.length))}</span>}
      />
      <div className={styles['scroll']}>
        <div ref={keyBox}>
          <AddParameter known={rows?.map(({ key }) => key) ?? []} wanted={search.key ?? ''} />
        </div>
        {rows === undefined && error !== null ? (
          <ErrorState error={asCordonError(error)} title={t.couldNotLoadParameters} onRetry={() => void refetch()} />
        ) : rows === undefined ? (
          <SkeletonLines lines={6} label={t.loadingTheParameters} />
        ) : rows.length === 0 ? (
          <EmptyState title={t.noParameter}>{t.defaultsApply(exposeAll)}</EmptyState>
        ) : (
          <Rows rows={rows} problems={data?.problems ?? []} search={search} show={show} />
        )}
      </div>
      {removed === undefined ? null : <RemoveDialog row={removed} onClose={() => show({})} />}
    </Screen>
  );
}

interface RowsProps {
  readonly rows: readonly ParameterRow[];
  readonly problems: readonly { readonly key: string; readonly problem: string }[];
  readonly search: ParametersSearch;
  readonly show: (next: ParametersSearch) => void;
}

function Rows({ rows, problems, search, show }: RowsProps) {
  const strays = problems.filter(({ key }) => !rows.some((row) => row.key === key));
  return (
    <>
      {strays.map(({ key, problem }) => (
        <Banner key={key} tone="warning">
          {problem}
        </Banner>
      ))}
      <table className={styles['table']} aria-label={t.serverParameters}>
        <thead>
          <tr>
            <th scope="col">{t.key}</th>
            <th scope="col">{t.value}</th>
            <th scope="col">{t.meaning}</th>
            <th scope="col">
              <span className={unseen}>{t.changeTitle}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ParameterLine
              key={row.key}
              row={row}
              problem={problems.find(({ key }) => key === row.key)?.problem ?? null}
              isEditing={search.edit === row.key}
              onEdit={() => show({ edit: row.key })}
              onRemove={() => show({ remove: row.key })}
              onClose={() => show({})}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function RemoveDialog({ row, onClose }: { readonly row: ParameterRow; readonly onClose: () => void }) {
  const { client } = useApi();
  return (
    <SureDialog
      title={t.removeOf(row.key)}
      verb={t.removeTheParameter}
      tone="danger"
      onClose={onClose}
      call={(confirmation) => client.instances.parameters.set({ key: row.key, value: null, ...confirmation })}
    >
      <p>{t.defaultReplaces(row.value)}</p>
    </SureDialog>
  );
}
