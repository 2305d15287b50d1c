import {useRouter} from '@tanstack/react-router'
import {useMemo} from 'react'

import type {Coverage, FileListRow, PolicyWay} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'
import {useActiveFrame, useComputersCount, useAskedHere} from '#api/hooks.tsx'
import {keptOf, productTitle} from '#commands/directory/directory-words.ts'
import {useDirectoryRefresh} from '#commands/directory/use-directory.ts'
import {Banner, EmptyState, Unloaded} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {Flow, type FlowLink, type FlowNode} from '#ui/chart/Flow.tsx'
import {PlainTable} from '#ui/Facts.tsx'
import styles from './FileLists.module.css'
import {t} from './text.ts'
import {partTones, percentOf} from './words.ts'

/** Computers that enforce the list, and the others with reasons. No API call. */
export function CoverageTab({list}: {list: FileListRow}) {
	const coverage = useAskedHere(q => q.directory.fileLists.coverage, {guid: list.guid})
	const isComing = useActiveFrame()?.inventory.phase === 'loading'
	if (useComputersCount() === null && !isComing)
		return (
			<EmptyState title={t.computersNotLoaded} to={['/computers', t.toTheComputers]}>
				{t.beforeUnknown(list.name)}
			</EmptyState>
		)
	const {data} = coverage
	if (data === undefined)
		return (
			<div className="padded">
				<Unloaded of={coverage} title={t.couldNotCalculate} lines={8} label={t.calculatingTheCoverage} />
			</div>
		)
	return (
		<div className={styles.coverage}>
			{data.uncertain !== null && <Uncertain text={data.uncertain} />}
			<p className={styles.headline}>
				{t.enforcedOn} <b>{formatCount(data.enforced)}</b> {t.ofComputers(formatCount(data.computers))}{' '}
				<span className="quiet">{t.changeTakes(list.vanishedAt === null ? '' : t.listDeleted)}</span>
			</p>
			<Parts coverage={data} />
			<Ways coverage={data} />
			<p className="quiet">
				<Link href={`/groups?view=policies&list=${list.guid}`}>{t.groupsDoes}</Link>
			</p>
		</div>
	)
}

function Uncertain({text}: {text: string}) {
	const {refresh, isRefreshing} = useDirectoryRefresh()
	return (
		<Banner
			tone="warning"
			action={
				<Button small onPress={() => refresh(true)} reason={isRefreshing ? t.loadingNow : null} tooltip={t.loadsGroups}>
					{t.loadAllDetails}
				</Button>
			}
		>
			{text}
		</Banner>
	)
}

/** All computers in parts; each number opens its computers. */
function Parts({coverage: {parts, computers}}: {coverage: Coverage}) {
	return (
		<PlainTable className={styles.parts} aria-label={t.allComputers} columns={[t.computersThat, [t.number, styles.number], t.share]}>
			{parts.map(({kind, title, computers: count, filter}) => (
				<tr key={kind}>
					<th scope="row">{title}</th>
					<td className={styles.number}>
						{filter === null || count === 0 ? (
							<span title={count === 0 ? undefined : t.noFilterList}>{formatCount(count)}</span>
						) : (
							<Link href={`/computers?filter=${encodeURIComponent(filter)}`} aria-label={t.computersOf(formatCount(count), title)}>
								{formatCount(count)}
							</Link>
						)}
					</td>
					<td className={styles.share}>
						{percentOf(count, computers)}
						<span className={styles.meter} aria-hidden>
							<span data-tone={partTones[kind] ?? 'dim'} style={{width: `${computers === 0 ? 0 : (count / computers) * 100}%`}} />
						</span>
					</td>
				</tr>
			))}
		</PlainTable>
	)
}

const unit = ['computer', 'computers'] as const
const [rowHeight, leastHeight, mostHeight] = [30, 140, 460]

/** How the list reaches its computers: through policies and groups. */
function Ways({coverage}: {coverage: Coverage}) {
	const {history} = useRouter()
	const open = (filter: string | undefined) => {
		if (filter !== undefined) history.push(`/computers?filter=${encodeURIComponent(filter)}`)
	}
	const flow = useMemo(() => flowOf(coverage), [coverage])
	const widest = Math.max(...[1, 2].map(column => flow.nodes.filter(node => node.column === column).length))
	return (
		<Flow
			title={t.listComputers}
			summary={t.reachesComputers(coverage.list.name, formatCount(coverage.enforced), formatCount(coverage.ways.length))}
			nodes={flow.nodes}
			links={flow.links}
			unit={unit}
			onOpenNode={key => open(flow.filters.get(key))}
			onOpenLink={({to}) => open(flow.filters.get(to))}
			height={Math.min(mostHeight, Math.max(leastHeight, widest * rowHeight))}
			empty={coverage.enforced === 0 ? t.noComputer : null}
			fileName="coverage"
			table={{
				columns: ['Policy', 'Group', 'Computers'],
				rows: coverage.ways.map(way => ({
					key: wayFilter(way),
					cells: [policyName(way), way.group.name, formatCount(way.computers)],
					onPress: () => open(wayFilter(way))
				}))
			}}
		/>
	)
}

/** The paths of a list to its computers as bands, and the filters behind the numbers: pure. */
interface CoverageFlow {
	nodes: readonly FlowNode[]
	links: readonly FlowLink[]
	/** Filters of the list of computers by node key. */
	filters: ReadonlyMap<string, string>
}

/** More are combined, because bands would be too thin. The table has all. */
const [mostPolicies, mostGroups] = [10, 14]
const otherPolicies = 'p other'
const otherGroups = 'g other'

export function flowOf(coverage: Coverage): CoverageFlow {
	const {ways, list} = coverage
	const policies = keptOf(ways, policyKey, mostPolicies)
	const groups = keptOf(ways, groupKey, mostGroups)
	const placed = ways.map(way => ({
		way,
		policy: policies.has(policyKey(way)) ? policyKey(way) : otherPolicies,
		group: groups.has(groupKey(way)) ? groupKey(way) : otherGroups
	}))
	const names = new Map(
		placed.flatMap(({way, policy, group}): readonly (readonly [string, string])[] => [
			[policy, policy === otherPolicies ? 'Other policies' : policyName(way)],
			[group, group === otherGroups ? 'Other groups' : way.group.name]
		])
	)
	const toPolicies = summed(placed.map(({way, policy}) => ['list', policy, way.computers]))
	const toGroups = summed(placed.map(({way, policy, group}) => [policy, group, way.computers]))
	const node = (column: number, tone: FlowNode['tone'], links: readonly FlowLink[]): readonly FlowNode[] =>
		[...Map.groupBy(links, ({to}) => to)].map(([key, into]) => ({
			...{key, name: names.get(key) ?? key, column, tone},
			value: into.reduce((sum, {value}) => sum + value, 0)
		}))
	return {
		nodes:
			ways.length === 0
				? []
				: [
						{key: 'list', name: list.name, column: 0, value: coverage.enforced, tone: 'ok'},
						...node(1, 'accent', toPolicies),
						...node(2, 'hold', toGroups)
					],
		links: [...toPolicies, ...toGroups],
		filters: filtersOf(placed)
	}
}

/** The computers of one path, as a filter. */
export function wayFilter({policy, group}: PolicyWay) {
	return `policy:${policy.guid} ${groupTerm(group.guid)}`
}

function policyName({policy}: PolicyWay) {
	return policy.product === '' ? policy.name : `${policy.name} (${productTitle(policy.product)})`
}

function groupTerm(guid: string) {
	return guid === '' ? 'group:empty' : `group:${guid}`
}

function filtersOf(placed: readonly {way: PolicyWay; policy: string; group: string}[]): ReadonlyMap<string, string> {
	const all = [...new Set(placed.map(({way}) => way.policy.guid))].join(',')
	const filters = new Map<string, string>([['list', `policy:${all}`]])
	for (const [key, ways] of Map.groupBy(placed, ({policy}) => policy))
		filters.set(key, `policy:${[...new Set(ways.map(({way}) => way.policy.guid))].join(',')}`)
	for (const [key, ways] of Map.groupBy(placed, ({group}) => group)) {
		const [first] = ways
		const policies = [...new Set(ways.map(({way}) => way.policy.guid))].join(',')
		const groups = [...new Set(ways.map(({way}) => way.group.guid))]
		// Several groups of several policies are no rectangle: no filter matches exactly those.
		if (first !== undefined && groups.length === 1) filters.set(key, `policy:${policies} ${groupTerm(first.way.group.guid)}`)
	}
	return filters
}

function policyKey({policy}: PolicyWay) {
	return `p ${policy.guid}`
}

function groupKey({group}: PolicyWay) {
	return `g ${group.guid}`
}

function summed(edges: readonly (readonly [from: string, to: string, value: number])[]) {
	return [...Map.groupBy(edges, ([from, to]) => `${from}\n${to}`).values()].flatMap(same => {
		const [first] = same
		if (first === undefined) return []
		return [{from: first[0], to: first[1], value: same.reduce((sum, [, , value]) => sum + value, 0)}]
	})
}
