import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { PolicyDetail, PolicyRow } from '#shared/contract/directory.ts';
import { asSentence } from '#shared/sentence.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { CompareFrame } from '../../commands/compare/CompareFrame.tsx';
import { DiffTable } from '../../commands/compare/DiffTable.tsx';
import { calls, productTitle } from '../../commands/directory/directory-words.ts';
import { usePolicies } from '../../commands/directory/use-directory.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { diffOf } from './diff.ts';
import { usePolicyDetail } from './PolicyParts.tsx';
import type { CompareSearch } from './search.ts';
import { t } from './text.ts';

/** Two policies side by side: what differs, and with a mark what is the same as well. */
export function CompareScreen() {
  const search = useSearch({ from: '/policies/compare' });
  const navigate = useNavigate({ from: '/policies/compare' });
  const change = (next: Partial<CompareSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const copy = usePolicies();
  const { items: policies } = copy;
  useKey('policy.back', () => void navigate({ to: '/policies', search: {} }));
  if (copy.error !== null && policies === undefined)
    return <ErrorState error={copy.error} title={t.couldNotLoadLocalData} onRetry={copy.retry} />;
  const first = <Choice label={t.first} policies={policies ?? []} value={search.a} onChange={(a) => change({ a })} />;
  const second = <Choice label={t.second} policies={policies ?? []} value={search.b} onChange={(b) => change({ b })} />;
  return (
    <CompareFrame
      title={t.compareTwoPolicies}
      list={{ href: '/policies', title: 'All policies' }}
      isAll={search.all ?? false}
      onAll={(all) => change({ all: all ? true : undefined })}
      {...{ first, second }}
      onExchange={() => change({ a: search.b, b: search.a })}
    >
      {policies === undefined ? (
        <SkeletonLines lines={8} label={t.loadingThePolicies} />
      ) : search.a === undefined || search.b === undefined ? (
        <EmptyState title={t.chooseTwoPolicies}>{t.comparesFields}</EmptyState>
      ) : search.a === search.b ? (
        <EmptyState title={t.bothSidesShow}>{t.chooseAnotherOne}</EmptyState>
      ) : (
        <Compared a={search.a} b={search.b} isAll={search.all ?? false} />
      )}
    </CompareFrame>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly policies: readonly PolicyRow[];
  readonly value: string | undefined;
  readonly onChange: (guid: string) => void;
}

function Choice({ label, policies, value, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      value={value ?? null}
      onChange={onChange}
      placeholder={t.chooseAPolicy}
      options={policies.map(({ guid, name, product, serial }) => ({
        value: guid,
        label: `${name} · ${productTitle(product)}`,
        ...(serial === null ? {} : { detail: `serial ${serial}` }),
      }))}
    />
  );
}

function Compared({ a, b, isAll }: { readonly a: string; readonly b: string; readonly isAll: boolean }) {
  const [one, other] = [usePolicyDetail(a), usePolicyDetail(b)];
  const error = one.error ?? other.error;
  if (one.data === undefined || other.data === undefined)
    return error === null ? (
      <SkeletonLines lines={8} label={t.loadingThePolicies} />
    ) : (
      <ErrorState error={asCordonError(error)} />
    );
  if (one.data === null || other.data === null)
    return <EmptyState title={t.oneThemUnknown}>{t.deletedElsewhere}</EmptyState>;
  return <Differences a={one.data} b={other.data} isAll={isAll} />;
}

interface DifferencesProps {
  readonly a: PolicyDetail;
  readonly b: PolicyDetail;
  readonly isAll: boolean;
}

function Differences({ a, b, isAll }: DifferencesProps) {
  const lines = useMemo(
    () => diffOf(a.record, b.record, { a: a.row.fileLists === null, b: b.row.fileLists === null }),
    [a, b],
  );
  return (
    <>
      <Unread rows={[a.row, b.row].filter(({ fileLists }) => fileLists === null)} />
      <DiffTable
        lines={lines}
        names={[a.row.name, b.row.name]}
        isAll={isAll}
        more={a.row.product === b.row.product ? '' : t.twoMadeDifferent}
      />
    </>
  );
}

/** Without its details a policy has no lists to compare. */
function Unread({ rows }: { readonly rows: readonly PolicyRow[] }) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const reading = useMutation({
    mutationFn: async () => {
      for (const { guid } of rows) await client.directory.policies.refreshOne({ connection, guid });
    },
  });
  if (rows.length === 0) return null;
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" onPress={() => reading.mutate()} reason={reading.isPending ? t.loadingNow : null}>
          {t.loadOf(calls(rows.length))}
        </Button>
      }
    >
      {t.detailsNot(
        rows.map(({ name }) => name).join(' and '),
        reading.error === null ? '' : ` ${asSentence(asCordonError(reading.error).message)}`,
      )}
    </Banner>
  );
}
