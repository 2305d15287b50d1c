import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';
import { asSentence } from '#shared/sentence.ts';
import { useActiveConnection, useComputersCount } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { CompareFrame } from '../../commands/compare/CompareFrame.tsx';
import { DiffTable } from '../../commands/compare/DiffTable.tsx';
import { calls } from '../../commands/directory/directory-words.ts';
import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { isReading, useDirectoryRefresh, useGroups, usePolicies } from '../../commands/directory/use-directory.ts';
import { pathsOf, targetsOf } from '../../commands/move/move-targets.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { ComboBox } from '../../ui/Select.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { groupDiff, type Known, unreadPolicies } from './group-diff.ts';
import type { CompareGroupsSearch } from './search.ts';
import { t } from './text.ts';
import { byGuid } from './tree-model.ts';

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

interface GroupChoiceProps {
	readonly label: string;
	readonly groups: readonly GroupNode[];
	/** The one that is chosen. */
	readonly group: GroupNode | undefined;
	readonly onChoose: (guid: string) => void;
}

/** One group of many, by a part of its path. */
function GroupChoice({ label, groups, group, onChoose }: GroupChoiceProps) {
	const paths = useMemo(() => pathsOf(groups), [groups]);
	const chosen = group === undefined ? '' : (paths.get(group.guid) ?? group.name);
	const [typed, setTyped] = useState<string | null>(null);
	useEffect(() => setTyped(null), [chosen]);
	// With nothing typed all of them can be chosen, not only the present one.
	const options = targetsOf(groups, paths, typed === chosen ? '' : (typed ?? ''));
	return (
		<ComboBox
			label={label}
			input={typed ?? chosen}
			onInput={setTyped}
			onChoose={(guid) => {
				// At once what it will be: a text that changes by itself would open the list again.
				setTyped(paths.get(guid) ?? null);
				onChoose(guid);
			}}
			options={options}
			error={options.length === 0 && groups.length > 0 ? t.noGroupPath : null}
			placeholder={t.typePartOfName}
		/>
	);
}

/** What has to be read to compare two groups whole, with its price; nothing where all of it is known. */
function UnreadDetails({ both, known }: { readonly both: readonly GroupNode[]; readonly known: Known }) {
	const { client } = useApi();
	const { id: connection } = useActiveConnection();
	const groups = both.filter(({ policies }) => policies === null);
	const policies = unreadPolicies(both, known);
	const reading = useMutation({
		mutationFn: async () => {
			for (const { guid } of groups) await client.directory.groups.refreshOne({ connection, guid });
			for (const { guid } of policies) await client.directory.policies.refreshOne({ connection, guid });
		},
	});
	const names = [...groups, ...policies].map(({ name }) => name);
	if (names.length === 0) return null;
	return (
		<Banner
			tone="warning"
			action={
				<Button size="small" onPress={() => reading.mutate()} reason={reading.isPending ? t.loadingNow : null}>
					{t.loadOf(calls(names.length))}
				</Button>
			}
		>
			{t.detailsNotLoadedYet(
				names.join(' and '),
				reading.error === null ? '' : ` ${asSentence(asCordonError(reading.error).message)}`,
			)}
		</Banner>
	);
}
