import {useNavigate, useParams} from '@tanstack/react-router'
import {useMemo, useRef} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import type {ComputerRow} from '#model/computer.ts'
import {DirectoryBanner} from '#commands/directory/DirectoryBanner.tsx'
import {isReading, useDirectoryRefresh, useGroups} from '#commands/directory/use-directory.ts'
import {MovedBar} from '#commands/move/MovedBar.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useCopy, Link} from '#ui/Button.tsx'
import {EmptyState, LocalDataError, LoadingScreen} from '#ui/States.tsx'
import {Headline, Screen} from '#ui/Screen.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {AssignDialog} from './AssignDialog.tsx'
import {CountsCard} from './CountsCard.tsx'
import {AboutCard, Ancestry, ListsCard, PoliciesCard} from './GroupParts.tsx'
import {GroupActions, Vanished} from './GroupPanel.tsx'
import {MovesDialog} from './GroupsDialogs.tsx'
import styles from './GroupsScreen.module.css'
import {Members} from './Members.tsx'
import {t} from './text.ts'
import {byGuid, pathOf, withBelow} from './tree-model.ts'
import {useMoves} from './use-moves.ts'

/** The page of one group: its facts and computers. */
export function GroupScreen() {
	const {guid} = useParams({from: '/groups/$guid'})
	const copy = useGroups()
	const reading = useDirectoryRefresh()
	const known = useMemo(() => byGuid(copy.items ?? []), [copy.items])
	const group = known.get(guid.toLowerCase())
	if (copy.error !== null && copy.items === undefined) return <LocalDataError error={copy.error} onRetry={copy.retry} />
	if (group === undefined && (copy.items === undefined || isReading(copy.state, reading.isRefreshing)))
		return <LoadingScreen label={t.loadingTheGroup} />
	if (group === undefined)
		return (
			<EmptyState title={t.groupNotKnown} to={['/groups', t.backGroups]}>
				{t.neitherLocalData(guid)}
			</EmptyState>
		)
	return (
		<Group
			key={group.guid}
			group={group}
			path={pathOf(known, group.guid)}
			below={withBelow(copy.items ?? [], group.guid)}
			banner={<DirectoryBanner state={copy.state} what="groups" isEmpty={false} onRefresh={all => reading.refresh(all)} />}
		/>
	)
}

interface GroupProps {
	group: GroupNode
	path: readonly GroupNode[]
	below: readonly GroupNode[]
	banner: React.ReactNode
}

function Group({group, path, below, banner}: GroupProps) {
	const {search, change} = useAddress('/groups/$guid')
	const navigate = useNavigate()
	const announce = useAnnounce()
	const moves = useMoves()
	const members = useRef<TableHandle>(null)
	const member = useRef<ComputerRow | undefined>(undefined)
	const closeAct = () => change({act: undefined})
	const go = (guid: string) => void navigate({to: '/groups/$guid', params: {guid}, search: {}})
	useKeys({
		'group.assign': () => change({act: 'assign'}),
		'group.diff': () => void navigate({to: '/groups/compare', search: {a: group.guid}}),
		'group.note': () => change({act: 'note'}),
		'group.back': () => void navigate({to: '/groups', search: {group: group.guid}})
	})
	const copy = useCopy()
	useKeys({
		'group.copy': () => copy('GUID', group.guid),
		'group.move': () => {
			const row = member.current
			if (row === undefined) announce('Go to a computer of the members first')
			else moves.ask({guid: row.guid, hostname: row.hostname})
		}
	})
	return (
		<Screen scrolls>
			<header className="head">
				<Headline list={t.groups} href="/groups" name={group.name} />
				<Ancestry path={path} onGo={go} />
				<div className="acts">
					<GroupActions group={group} onAssign={() => change({act: 'assign'})} />
					<Link look="button" href={`/groups?group=${group.guid}`}>
						{t.showTree}
					</Link>
				</div>
			</header>
			{banner}
			<Vanished group={group} />
			{moves.last !== null && <MovedBar moved={moves.last} onDismiss={moves.dismiss} />}
			<div className={styles.columns}>
				<div className={styles.side}>
					<CountsCard group={group} below={below} />
					<PoliciesCard group={group} path={path} />
					<ListsCard group={group} />
					<AboutCard group={group} />
				</div>
				<div className={styles.main}>
					<Members
						group={group}
						below={below}
						withBelow={search.below ?? false}
						onWithBelow={on => change({below: on ? true : undefined})}
						onOpen={row => void navigate({to: '/computers/$guid', params: {guid: row.guid}, search: {}})}
						onCursor={row => {
							member.current = row
						}}
						hasTree={false}
						handle={members}
						wantsFocus={false}
						onFocused={() => {}}
					/>
				</div>
			</div>
			{search.act === 'assign' && <AssignDialog group={group} below={below} onClose={closeAct} />}
			{search.act === 'note' && <NoteDialog target={{guid: group.guid, label: group.name}} onClose={closeAct} />}
			<MovesDialog moves={moves} />
		</Screen>
	)
}
