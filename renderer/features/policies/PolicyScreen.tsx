import {useNavigate, useParams} from '@tanstack/react-router'
import {useMemo, useRef} from 'react'

import type {GroupNode, PolicyDetail, PolicyRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'
import {productTitle} from '#commands/directory/directory-words.ts'
import {useGroups, usePolicies} from '#commands/directory/use-directory.ts'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Button, useCopy, Link} from '#ui/Button.tsx'
import {CodeView} from '#ui/Facts.tsx'
import {EmptyState, ScreenErrorState, SkeletonLines, LoadingScreen} from '#ui/States.tsx'
import {Headline, Screen, Tabs} from '#ui/Screen.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './policies.module.css'
import {groupsUsing, type UsingGroup} from './policy-facts.ts'
import {originMark} from './PolicyPanel.tsx'
import {AboutCard, EditedElsewhere, History, ListCards, Problem, ReadPolicy, usePolicyDetail, usePolicyXml, Vanished} from './PolicyParts.tsx'
import {policyTabs} from './search.ts'
import {t} from './text.ts'
import {XmlView} from './XmlView.tsx'

export function PolicyScreen() {
	const {guid} = useParams({from: '/policies/$guid'})
	const {data, error, refetch} = usePolicyDetail(guid.toLowerCase())
	const {state} = usePolicies()
	if (error !== null && data === undefined) return <ScreenErrorState error={error} title={t.couldNotLoadPolicy} onRetry={refetch} />
	if (data === undefined || (data === null && (state === undefined || state.phase === 'loading')))
		return <LoadingScreen label={t.loadingThePolicy} />
	if (data === null)
		return (
			<EmptyState title={t.policyNotKnown} to={['/policies', t.backPolicies]}>
				{t.localDataNo(guid)}
			</EmptyState>
		)
	return <Policy key={data.row.guid} detail={data} />
}

function Policy({detail}: {detail: PolicyDetail}) {
	const {row} = detail
	const {search, change} = useAddress('/policies/$guid')
	const navigate = useNavigate()
	const {items: groups = []} = useGroups()
	const refreshButton = useRef<HTMLButtonElement>(null)
	const copy = useCopy()
	useKeys({
		'policy.tab1': () => change({tab: 'used'}),
		'policy.tab2': () => change({tab: 'lists'}),
		'policy.tab3': () => change({tab: 'history'}),
		'policy.tab4': () => change({tab: 'record'}),
		'policy.tab5': () => change({tab: 'xml'}),
		'policy.groups': () => change({tab: 'used'}),
		'policy.diff': () => void navigate({to: '/policies/compare', search: {a: row.guid}}),
		'policy.back': () => void navigate({to: '/policies', search: {policy: row.guid}}),
		'policy.note': () => change({act: 'note'}),
		'policy.refresh': () => refreshButton.current?.focus(),
		'policy.copy': () => copy('GUID', row.guid)
	})
	return (
		<Screen scrolls>
			<header className="head">
				<Headline list={t.policies} href="/policies" name={row.name}>
					{row.isDefault && <Tag>{t.default}</Tag>}
				</Headline>
				<p>{t.policyForOf(productTitle(row.product), row.serial === null ? '' : t.serial(row.serial))}</p>
				<EditedElsewhere />
				<div className="acts">
					<ReadPolicy policy={row} buttonRef={refreshButton} />
					<Link look="button" href={`/policies/compare?a=${row.guid}`}>
						{t.compareWith}
					</Link>
				</div>
			</header>
			<Vanished policy={row} />
			<Problem policy={row} />
			<div className={styles.tabs}>
				<Tabs
					label={t.aboutThisPolicy}
					selected={search.tab ?? 'used'}
					onSelect={id => change({tab: policyTabs.find(each => each === id)})}
					tabs={[
						{id: 'used', title: 'Used by', content: <UsedByTab policy={row} groups={groups} />},
						{
							id: 'lists',
							title: 'Lists',
							content: (
								<div className={styles.part}>
									<ListCards policy={row} />
								</div>
							)
						},
						{
							id: 'history',
							title: 'History',
							content: (
								<div className={styles.part}>
									<History detail={detail} />
									<AboutCard policy={row} />
								</div>
							)
						},
						{id: 'record', title: 'JSON', content: <CodeView value={detail.record} label={t.policyAsJson} />},
						{id: 'xml', title: 'XML', content: <XmlTab guid={row.guid} />}
					]}
				/>
			</div>
			{search.act === 'note' && <NoteDialog target={{guid: row.guid, label: row.name}} onClose={() => change({act: undefined})} />}
		</Screen>
	)
}

function XmlTab({guid}: {guid: string}) {
	const {data, error, refetch, isFetching, dataUpdatedAt} = usePolicyXml(guid)
	if (data !== undefined)
		return (
			<div className={styles.part}>
				<p className="fact">
					{t.loadedAt} <Time at={new Date(dataUpdatedAt).toISOString()} focusable />.{' '}
					<Button small onPress={() => void refetch()} reason={isFetching ? t.loadingNow : null}>
						{t.refreshForOneCall}
					</Button>
					{error !== null && t.couldNotRefresh(error.message)}
				</p>
				<XmlView text={data.text} />
			</div>
		)
	if (error === null || isFetching) return <SkeletonLines lines={8} label={t.loadingTheXml} />
	const isForbidden = error.code === 'forbidden'
	return <ScreenErrorState error={error} title={isForbidden ? t.apiKeyNotRead : t.couldNotLoadXml} onRetry={refetch} />
}

/** The height of its rows, limited to a window. */
function rowsHigh(count: number) {
	return `min(${(count + 1) * 28 + 4}px, max(320px, calc(100vh - 340px)))`
}

/** Groups that use a policy, their own or inherited. */
function UsedByTab({policy, groups}: {policy: PolicyRow; groups: readonly GroupNode[]}) {
	const navigate = useNavigate()
	const using = useMemo(() => groupsUsing(policy, new Map(groups.map(group => [group.guid, group]))), [policy, groups])
	if (using === null)
		return (
			<EmptyState title={t.notLoadedYet2} action={<ReadPolicy policy={policy} />}>
				{t.groupsUsePolicy}
			</EmptyState>
		)
	return (
		<div className={styles.part}>
			<div className={styles.usedBy} style={{height: using.length === 0 ? undefined : rowsHigh(using.length)}}>
				<DataTable
					label={t.groupsUse}
					source={using}
					columns={columns}
					rowKey={row => row.guid}
					describe={row => `${row.name}, ${originMark(row.origin)}`}
					onOpen={row => void navigate({to: '/groups', search: {group: row.guid}})}
					empty={<EmptyState title={t.noGroupUsesIt}>{t.assignUnder}</EmptyState>}
				/>
			</div>
		</div>
	)
}

const columns: readonly TableColumn<UsingGroup>[] = [
	{id: 'name', title: 'Group', width: 260, look: 'name', cell: row => <span title={row.name}>{row.name}</span>},
	{id: 'origin', title: 'Own or inherited', width: 150, cell: row => originMark(row.origin)},
	{
		id: 'computers',
		title: 'Computers of the group',
		width: 150,
		align: 'end',
		cell: row => (row.computers === null ? '?' : formatCount(row.computers))
	}
]
