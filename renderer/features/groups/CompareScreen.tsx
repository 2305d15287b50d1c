import {useNavigate} from '@tanstack/react-router'
import {useEffect, useMemo, useState} from 'react'

import type {GroupNode, GroupPolicyUse, NamedReference, PolicyRow} from '#contract/directory.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatCount} from '#text/numbers.ts'
import {useComputersCount} from '#api/hooks.tsx'
import {CompareFrame} from '#commands/compare/CompareFrame.tsx'
import type {DiffLine} from '#commands/compare/diff-line.ts'
import {DiffTable} from '#commands/compare/DiffTable.tsx'
import {calls, inProductOrder, listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {DirectoryBanner} from '#commands/directory/DirectoryBanner.tsx'
import {isReading, useDirectoryRefresh, useGroups, usePolicies, useReadDetails} from '#commands/directory/use-directory.ts'
import {pathsOf, targetsOf} from '#commands/move/move-targets.ts'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, SkeletonLines, LocalDataError} from '#ui/States.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {ComboBox} from '#ui/Select.tsx'
import {filterOf, listsOf, policiesOf} from './group-facts.ts'
import type {CompareGroupsSearch} from './search.ts'
import {t} from './text.ts'
import {byGuid, pathOf, withBelow} from './tree-model.ts'

const none: readonly GroupNode[] = []

/** Two groups side by side, from the local copy: differences, and optionally equal lines. */
export function CompareScreen() {
	const {search, change} = useAddress('/groups/compare')
	const navigate = useNavigate()
	const copy = useGroups()
	const reading = useDirectoryRefresh()
	const groups = copy.items ?? none
	const known = useMemo(() => byGuid(groups), [groups])
	useKey('group.back', () => void navigate({to: '/groups', search: search.a === undefined ? {} : {group: search.a}}))
	if (copy.error !== null && copy.items === undefined) return <LocalDataError error={copy.error} onRetry={copy.retry} />
	const [a, b] = [known.get(search.a?.toLowerCase() ?? ''), known.get(search.b?.toLowerCase() ?? '')]
	const isWaiting = copy.items === undefined || (groups.length === 0 && isReading(copy.state, reading.isRefreshing))
	const field = (label: string, group: GroupNode | undefined, side: 'a' | 'b') => (
		<GroupChoice {...{label, groups, group}} onChoose={guid => change(side === 'a' ? {a: guid} : {b: guid})} />
	)
	return (
		<CompareFrame
			title={t.compareTwoGroups}
			list={{href: '/groups', title: 'All groups'}}
			isAll={search.all ?? false}
			onAll={all => change({all: all ? true : undefined})}
			first={field('First', a, 'a')}
			second={field('Second', b, 'b')}
			onExchange={() => change({a: search.b, b: search.a})}
		>
			<DirectoryBanner state={copy.state} what="groups" isEmpty={groups.length === 0} onRefresh={details => reading.refresh(details)} />
			{isWaiting ? (
				<SkeletonLines lines={8} label={t.loadingTheGroups} />
			) : a === undefined || b === undefined ? (
				<NotTwo search={search} isKnown={{a: a !== undefined, b: b !== undefined}} />
			) : a.guid === b.guid ? (
				<EmptyState title={t.sameGroupTwice}>{t.chooseAnotherOne}</EmptyState>
			) : (
				<Differences {...{a, b}} groups={known} isAll={search.all ?? false} />
			)}
		</CompareFrame>
	)
}

function NotTwo({search, isKnown}: {search: CompareGroupsSearch; isKnown: {a: boolean; b: boolean}}) {
	const isGone = (search.a !== undefined && !isKnown.a) || (search.b !== undefined && !isKnown.b)
	if (isGone) return <EmptyState title={t.oneThemUnknown}>{t.deletedElsewhereChoose}</EmptyState>
	return <EmptyState title={t.chooseTwoGroups}>{t.comparesPolicies}</EmptyState>
}

interface DifferencesProps {
	a: GroupNode
	b: GroupNode
	groups: Known['groups']
	isAll: boolean
}

function Differences({a, b, groups, isAll}: DifferencesProps) {
	const {items: policies} = usePolicies()
	const isCounted = useComputersCount() !== null
	const known = useMemo<Known>(
		() => ({groups, policies: new Map((policies ?? []).map(each => [each.guid, each])), isCounted}),
		[groups, policies, isCounted]
	)
	const lines = useMemo(() => groupDiff(a, b, known), [a, b, known])
	return (
		<>
			<UnreadDetails both={[a, b]} known={known} />
			<DiffTable lines={lines} names={[a.name, b.name]} isAll={isAll} />
		</>
	)
}

interface GroupChoiceProps {
	label: string
	groups: readonly GroupNode[]
	/** The chosen one. */
	group: GroupNode | undefined
	onChoose: (guid: string) => void
}

/** Chooses a group by a part of its path. */
function GroupChoice({label, groups, group, onChoose}: GroupChoiceProps) {
	const paths = useMemo(() => pathsOf(groups), [groups])
	const chosen = group === undefined ? '' : (paths.get(group.guid) ?? group.name)
	const [typed, setTyped] = useState<string | null>(null)
	useEffect(() => setTyped(null), [chosen])
	// With an empty text all can be chosen, not only the present one.
	const options = targetsOf(groups, paths, typed === chosen ? '' : (typed ?? ''))
	return (
		<ComboBox
			label={label}
			input={typed ?? chosen}
			onInput={setTyped}
			onChoose={guid => {
				// Set at once: a text that changes by itself would reopen the list.
				setTyped(paths.get(guid) ?? null)
				onChoose(guid)
			}}
			options={options}
			error={options.length === 0 && groups.length > 0 ? t.noGroupPath : null}
			placeholder={t.typePartOfName}
		/>
	)
}

/** Data missing for a complete comparison, with its cost; nothing if complete. */
function UnreadDetails({both, known}: {both: readonly GroupNode[]; known: Known}) {
	const groups = both.filter(({policies}) => policies === null)
	const policies = unreadPolicies(both, known)
	const reading = useReadDetails()
	const names = [...groups, ...policies].map(({name}) => name)
	if (names.length === 0) return null
	return (
		<Banner
			tone="warning"
			act={[t.loadOf(calls(names.length)), () => reading.mutate({groups, policies}), reading.isPending ? t.loadingNow : null]}
		>
			{t.detailsNotLoadedYet(names.join(' and '), reading.error === null ? '' : ` ${asSentence(reading.error.message)}`)}
		</Banner>
	)
}

/* Two groups, line by line: pure, for tests without a page. */

export interface Known {
	groups: ReadonlyMap<string, GroupNode>
	policies: ReadonlyMap<string, PolicyRow>
	/** Whether computers were loaded: otherwise they cannot be counted. */
	isCounted: boolean
}

/** Location, computers, policies by product with their origin, and their contents. */
export function groupDiff(a: GroupNode, b: GroupNode, known: Known): readonly DiffLine[] {
	return [
		...placeLines(a, b, known),
		...countLines(a, b, known),
		...policyLines(a, b, known),
		...thingLines('File list', filesOf(a, known), filesOf(b, known)),
		...thingLines('Exclusion set', exclusionsOf(a, known), exclusionsOf(b, known))
	]
}

/** Policies of both whose lists are not loaded. */
export function unreadPolicies(both: readonly GroupNode[], {policies}: Known): readonly GroupPolicyUse[] {
	const unread = both.flatMap(group => listsOf(group.policies ?? [], policies).unknown)
	return [...new Map(unread.map(use => [use.guid, use])).values()]
}

function placeLines(a: GroupNode, b: GroupNode, {groups}: Known) {
	const above = (group: GroupNode) =>
		pathOf(groups, group.guid)
			.slice(0, -1)
			.map(({name}) => name)
			.join(' ▸ ') || 'at the top'
	return [
		{title: 'Under', a: above(a), b: above(b)},
		{title: 'Groups directly below', a: formatCount(a.children.length), b: formatCount(b.children.length)},
		...(a.description === '' && b.description === '' ? [] : [{title: 'Description', a: a.description, b: b.description}]),
		...(a.source === null && b.source === null ? [] : [{title: 'Source', a: a.source ?? '', b: b.source ?? ''}])
	]
}

const counted = [
	{title: 'Computers', key: 'computers', more: ''},
	{title: 'Compromised', key: 'compromised', more: ' compromised:yes'},
	{title: 'Isolated', key: 'isolated', more: ' isolation:isolated'}
] as const

/** Its own, and with subgroups if any. Each number opens its rows. */
function countLines(a: GroupNode, b: GroupNode, {groups, isCounted}: Known) {
	const all = [...groups.values()]
	const isNested = a.children.length + b.children.length > 0
	const line = (title: string, count: (group: GroupNode) => number, rows: (group: GroupNode) => string | null) => ({
		title,
		a: isCounted ? formatCount(count(a)) : null,
		b: isCounted ? formatCount(count(b)) : null,
		links: {a: count(a) === 0 ? null : rows(a), b: count(b) === 0 ? null : rows(b)}
	})
	return counted.flatMap(({title, key, more}) => [
		line(
			title,
			group => group[key],
			group => listOf([group], more)
		),
		...(isNested
			? [
					line(
						`${title}, with subgroups`,
						group => group.below[key],
						group => listOf(withBelow(all, group.guid), more)
					)
				]
			: [])
	])
}

function listOf(groups: readonly GroupNode[], more: string) {
	const filter = filterOf(groups)
	return filter === null ? null : `/computers?filter=${encodeURIComponent(filter + more)}`
}

/** Groups with the same policy still differ when one of them inherits it. */
function policyLines(a: GroupNode, b: GroupNode, {groups}: Known) {
	const [one, other] = [a, b].map(group => policiesOf(pathOf(groups, group.guid)))
	const products = inProductOrder([...(one ?? []), ...(other ?? [])].map(({product}) => product))
	if (products.length === 0) return one == null || other == null ? [{title: 'Policies', a: null, b: null}] : []
	const value = (uses: ReturnType<typeof policiesOf> | undefined, product: string) => {
		if (uses == null) return null
		const use = uses.find(each => each.product === product)
		if (use === undefined) return ''
		return `${use.name} · ${use.inherited ? `inherited${use.from === null ? '' : ` from ${use.from.name}`}` : 'own'}`
	}
	const link = (group: GroupNode, product: string) => {
		const use = group.policies?.find(each => each.product === product)
		return use === undefined ? null : `/policies/${use.guid}`
	}
	return products.map(product => ({
		title: `Policy for ${productTitle(product)}`,
		a: value(one, product),
		b: value(other, product),
		links: {a: link(a, product), b: link(b, product)}
	}))
}

/** Contents of a group's policies by GUID, and whether they are complete. */
interface Brought {
	things: ReadonlyMap<string, string>
	isWhole: boolean
}

function filesOf(group: GroupNode, {policies}: Known): Brought {
	const {lists, unknown} = listsOf(group.policies ?? [], policies)
	const words = lists.map(({guid, name, type, through}) => {
		const ways = through.map(({product}) => productTitle(product)).join(', ')
		return [guid, `${name} (${listTypeTitle(type)}) · ${ways}`] as const
	})
	return {things: new Map(words), isWhole: group.policies !== null && unknown.length === 0}
}

function exclusionsOf(group: GroupNode, {policies}: Known): Brought {
	const sets = new Map<string, {set: NamedReference; products: readonly string[]}>()
	let isWhole = group.policies !== null
	for (const use of group.policies ?? []) {
		const policy = policies.get(use.guid)
		// Sets come with the details; phones have none.
		if (policy?.fileLists == null) isWhole = false
		for (const set of policy?.exclusionSets ?? [])
			sets.set(set.guid, {set, products: [...(sets.get(set.guid)?.products ?? []), productTitle(use.product)]})
	}
	const words = [...sets.values()].map(({set, products}) => [set.guid, `${set.name} · ${products.join(', ')}`] as const)
	return {things: new Map(words), isWhole}
}

/** Things of only one group; unknown things are not called missing. */
function thingLines(title: string, a: Brought, b: Brought) {
	const guids = [...new Set([...a.things.keys(), ...b.things.keys()])]
	const value = ({things, isWhole}: Brought, guid: string) => things.get(guid) ?? (isWhole ? '' : null)
	if (guids.length === 0) return a.isWhole && b.isWhole ? [] : [{title, a: null, b: null}]
	return guids.map(guid => ({title, a: value(a, guid), b: value(b, guid)}))
}
