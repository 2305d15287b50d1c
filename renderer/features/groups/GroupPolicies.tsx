import {useNavigate} from '@tanstack/react-router'
import {useMemo} from 'react'

import type {PolicyRow, PolicyWay} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'
import {useComputersCount, useAskedHere} from '#api/hooks.tsx'
import {keptOf, listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {usePolicies} from '#commands/directory/use-directory.ts'
import {Flow, type FlowNode} from '#ui/chart/Flow.tsx'
import {ErrorState, SkeletonLines} from '#ui/States.tsx'
import {Link} from '#ui/Button.tsx'
import {Select} from '#ui/Select.tsx'
import styles from './GroupPictures.module.css'
import {t} from './text.ts'

interface GroupPoliciesProps {
	/** Search results; `null` without a search. */
	matching: ReadonlySet<string> | null
	/** GUID of the list that marks policies. */
	list: string | undefined
	onList: (guid: string | undefined) => void
	onChoose: (guid: string) => void
}

const unit = ['computer', 'computers'] as const
const noWays: readonly PolicyWay[] = []
const noList = ''
const [rowHeight, leastHeight, mostHeight] = [30, 160, 520]

/** Policies of the groups' computers, to find where a list has to be added. */
export function GroupPolicies({matching, list, onList, onChoose}: GroupPoliciesProps) {
	const navigate = useNavigate()
	const isCounted = useComputersCount() !== null
	const {data, error, refetch} = useAskedHere(q => q.directory.groups.ways, {})
	const lists = useAskedHere(q => q.directory.fileLists.list, {}).data?.lists ?? []
	const {items: rows = []} = usePolicies()
	const policies = useMemo(() => new Map(rows.map(policy => [policy.guid, policy])), [rows])
	const ways = useMemo(() => (data ?? noWays).filter(({group}) => matching === null || matching.has(group.guid)), [data, matching])
	const flow = useMemo(() => policyFlowOf(ways, policies, list), [ways, policies, list])
	if (error !== null) return <ErrorState error={error} title={t.couldNotLoadPolicies} onRetry={refetch} />
	if (data === undefined) return <SkeletonLines lines={8} label={t.loadingPolicies} />
	const open = (key: string) => {
		const guid = key.slice(2)
		if (key.startsWith('g ')) onChoose(guid)
		else if (policies.has(guid)) void navigate({to: '/policies/$guid', params: {guid}, search: {}})
	}
	const chosen = lists.find(({guid}) => guid === list)
	const highest = Math.max(...[0, 1].map(column => flow.nodes.filter(node => node.column === column).length))
	return (
		<div className={styles.picture}>
			<div className={styles.line}>
				<Select
					label={t.markPolicies}
					value={list ?? noList}
					onChange={guid => onList(guid === noList ? undefined : guid)}
					options={[
						{value: noList, label: 'No list'},
						...lists.map(({guid, name, type}) => ({value: guid, label: name, detail: listTypeTitle(type)}))
					]}
					className={styles.list}
				/>
				{chosen !== undefined && (
					<span className={styles.reach}>
						<Reach ways={ways} policies={policies} list={chosen.guid} />{' '}
						<Link href={`/file-lists/${chosen.guid}?view=coverage`}>{t.coverage}</Link>
					</span>
				)}
			</div>
			<Flow
				title={t.groupsPolicies}
				summary={t.computersGroups(
					formatCount(new Set(ways.map(({group}) => group.guid)).size),
					formatCount(new Set(ways.map(({policy}) => policy.guid)).size)
				)}
				nodes={flow.nodes}
				links={flow.links}
				unit={unit}
				onOpenNode={open}
				onOpenLink={({from}) => open(from)}
				height={Math.min(mostHeight, Math.max(leastHeight, highest * rowHeight))}
				empty={ways.length > 0 ? null : isCounted ? t.noComputer : t.computersNot}
				fileName="groups-and-policies"
				table={{
					columns: ['Group', 'Policy', 'Computers', ...(chosen === undefined ? [] : [chosen.name])],
					rows: ways.map(({group, policy, computers}) => ({
						key: `${group.guid} ${policy.guid}`,
						cells: [
							group.name,
							policyTitle(policy),
							formatCount(computers),
							...(chosen === undefined ? [] : [listUseWords[listUseOf(policies.get(policy.guid), chosen.guid)]])
						],
						onPress: () => onChoose(group.guid)
					}))
				}}
			/>
			<p className="note">{t.computersReport}</p>
		</div>
	)
}

function Reach({ways, policies, list}: {ways: readonly PolicyWay[]; policies: ReadonlyMap<string, PolicyRow>; list: string}) {
	const {uses, not, unknown} = reachOf(ways, policies, list)
	return (
		<>
			<b>{formatCount(uses)}</b>{' '}
			{t.computersPolicy(formatCount(uses + not + unknown), unknown === 0 ? '.' : t.ofTheListsAreNotLoaded(formatCount(unknown)))}
		</>
	)
}

/** More are combined, because bands would be too thin. The table has all. */
const [mostGroups, mostPolicies] = [16, 14]
const others = 'other'

/** Whether a policy uses a list; `unknown` while its lists are not loaded. */
type ListUse = 'uses' | 'not' | 'unknown'

export function listUseOf(policy: PolicyRow | undefined, list: string): ListUse {
	if (policy === undefined || policy.fileLists === null) return 'unknown'
	return policy.fileLists.some(({guid}) => guid === list) ? 'uses' : 'not'
}

const listUseWords: Readonly<Record<ListUse, string>> = {uses: 'uses it', not: 'does not', unknown: '?'}
const listUseTones: Readonly<Record<ListUse, FlowNode['tone']>> = {uses: 'ok', not: 'accent', unknown: 'dim'}

/** `list`: GUID of the list that marks policies. */
export function policyFlowOf(ways: readonly PolicyWay[], policies: ReadonlyMap<string, PolicyRow>, list?: string) {
	const groups = keptOf(ways, ({group}) => group.guid, mostGroups)
	const kept = keptOf(ways, ({policy}) => policy.guid, mostPolicies)
	const placed = ways.map(way => ({
		way,
		from: `g ${groups.has(way.group.guid) ? way.group.guid : others}`,
		to: `p ${kept.has(way.policy.guid) ? way.policy.guid : others}`
	}))
	const sum = (same: typeof placed) => same.reduce((total, {way}) => total + way.computers, 0)
	const nodes = (column: 0 | 1): readonly FlowNode[] =>
		[...Map.groupBy(placed, ({from, to}) => (column === 0 ? from : to))].flatMap(([key, same]) => {
			const [first] = same
			if (first === undefined) return []
			const look = column === 0 ? groupLook(first.way, key) : policyLook(first.way, key, policies, list)
			return [{key, column, value: sum(same), ...look}]
		})
	return {
		nodes: [...nodes(0), ...nodes(1)],
		links: [...Map.groupBy(placed, ({from, to}) => `${from}\n${to}`).values()].flatMap(same => {
			const [first] = same
			return first === undefined ? [] : [{from: first.from, to: first.to, value: sum(same)}]
		})
	}
}

type Look = Pick<FlowNode, 'name' | 'tone'>

function groupLook({group}: PolicyWay, key: string): Look {
	return {name: key === `g ${others}` ? 'Other groups' : group.name, tone: 'hold'}
}

function policyLook({policy}: PolicyWay, key: string, policies: ReadonlyMap<string, PolicyRow>, list: string | undefined): Look {
	if (key === `p ${others}`) return {name: 'Other policies', tone: 'faint'}
	const name = policyTitle(policy)
	if (list === undefined) return {name, tone: 'accent'}
	const use = listUseOf(policies.get(policy.guid), list)
	return {name: `${name} · ${listUseWords[use]}`, tone: listUseTones[use]}
}

function policyTitle({name, product}: PolicyWay['policy']) {
	return product === '' ? name : `${name} (${productTitle(product)})`
}

/** Additional computers reached if these policies used the list; `null` while unknown. */
export function reachOf(ways: readonly PolicyWay[], policies: ReadonlyMap<string, PolicyRow>, list: string): Readonly<Record<ListUse, number>> {
	const reach = {uses: 0, not: 0, unknown: 0}
	for (const {policy, computers} of ways) reach[listUseOf(policies.get(policy.guid), list)] += computers
	return reach
}
