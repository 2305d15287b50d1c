import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';

import { useComputersCount } from '../../api/active.tsx';
import { CompareFrame } from '../../commands/compare/CompareFrame.tsx';
import { DiffTable } from '../../commands/compare/DiffTable.tsx';
import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { isReading, useDirectoryRefresh, useGroups, usePolicies } from '../../commands/directory/use-directory.ts';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { GroupChoice } from './GroupChoice.tsx';
import { groupDiff, type Known } from './group-diff.ts';
import type { CompareGroupsSearch } from './search.ts';
import { t } from './text.ts';
import { byGuid } from './tree-model.ts';
import { UnreadDetails } from './UnreadDetails.tsx';

const none: readonly GroupNode[] = [];

/** Two groups side by side, from the local copy: what differs, and with a mark what is the same as well. */
export function CompareScreen() {
  const search = useSearch({ from: '/groups/compare' });
  const navigate = useNavigate({ from: '/groups/compare' });
  const change = (next: Partial<CompareGroupsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const copy = useGroups();
  const reading = useDirectoryRefresh();
  const groups = copy.items ?? none;
  const known = useMemo(() => byGuid(groups), [groups]);
  useKey(
    'group.back',
    () => void navigate({ to: '/groups', search: search.a === undefined ? {} : { group: search.a } }),
  );
  if (copy.error !== null && copy.items === undefined)
    return <ErrorState error={copy.error} title={t.couldNotLoadLocalData} onRetry={copy.retry} />;
  const [a, b] = [known.get(search.a?.toLowerCase() ?? ''), known.get(search.b?.toLowerCase() ?? '')];
  const isWaiting = copy.items === undefined || (groups.length === 0 && isReading(copy.state, reading.isRefreshing));
  const field = (label: string, group: GroupNode | undefined, side: 'a' | 'b') => (
    <GroupChoice {...{ label, groups, group }} onChoose={(guid) => change(side === 'a' ? { a: guid } : { b: guid })} />
  );
  return (
    <CompareFrame
      title={t.compareTwoGroups}
      list={{ href: '/groups', title: 'All groups' }}
      isAll={search.all ?? false}
      onAll={(all) => change({ all: all ? true : undefined })}
      first={field('First', a, 'a')}
      second={field('Second', b, 'b')}
      onExchange={() => change({ a: search.b, b: search.a })}
    >
      <DirectoryBanner
        state={copy.state}
        what="groups"
        isEmpty={groups.length === 0}
        onRefresh={(details) => reading.refresh(details)}
      />
      {isWaiting ? (
        <SkeletonLines lines={8} label={t.loadingTheGroups} />
      ) : a === undefined || b === undefined ? (
        <NotTwo search={search} isKnown={{ a: a !== undefined, b: b !== undefined }} />
      ) : a.guid === b.guid ? (
        <EmptyState title={t.sameGroupTwice}>{t.chooseAnotherOne}</EmptyState>
      ) : (
        <Differences {...{ a, b }} groups={known} isAll={search.all ?? false} />
      )}
    </CompareFrame>
  );
}

interface NotTwoProps {
  readonly search: CompareGroupsSearch;
  readonly isKnown: { readonly a: boolean; readonly b: boolean };
}

function NotTwo({ search, isKnown }: NotTwoProps) {
  const isGone = (search.a !== undefined && !isKnown.a) || (search.b !== undefined && !isKnown.b);
  if (isGone) return <EmptyState title={t.oneThemUnknown}>{t.deletedElsewhereChoose}</EmptyState>;
  return <EmptyState title={t.chooseTwoGroups}>{t.comparesPolicies}</EmptyState>;
}

interface DifferencesProps {
  readonly a: GroupNode;
  readonly b: GroupNode;
  readonly groups: Known['groups'];
  readonly isAll: boolean;
}

function Differences({ a, b, groups, isAll }: DifferencesProps) {
  const { items: policies } = usePolicies();
  const isCounted = useComputersCount() !== null;
  const known = useMemo<Known>(
    () => ({ groups, policies: new Map((policies ?? []).map((each) => [each.guid, each])), isCounted }),
    [groups, policies, isCounted],
  );
  const lines = useMemo(() => groupDiff(a, b, known), [a, b, known]);
  return (
    <>
      <UnreadDetails both={[a, b]} known={known} />
      <DiffTable lines={lines} names={[a.name, b.name]} isAll={isAll} />
    </>
  );
}
