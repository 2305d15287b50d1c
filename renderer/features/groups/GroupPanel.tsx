import type {RefObject} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import type {ComputerRow} from '#model/computer.ts'

import {useWriteRefusal} from '#api/hooks.tsx'
import {Banner, EmptyState} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader} from '#ui/SidePanel.tsx'
import {Time} from '#ui/Time.tsx'
import {filterOf} from './group-facts.ts'
import {CountsCard} from './CountsCard.tsx'
import {AboutCard, Ancestry, ListsCard, PoliciesCard} from './GroupParts.tsx'
import {Members} from './Members.tsx'
import {t} from './text.ts'
import type {TableHandle} from '#ui/table/types.ts'

interface GroupPanelProps {
	group: GroupNode | undefined
	path: readonly GroupNode[]
	/** Name problems, in sentences. */
	odd: readonly string[]
	/** The group and those below it. */
	below: readonly GroupNode[]
	withBelow: boolean
	onWithBelow: (on: boolean) => void
	onClose: () => void
	onGo: (guid: string) => void
	onAssign: () => void
	onComputer: (row: ComputerRow) => void
	onMember: (row: ComputerRow | undefined) => void
	members: RefObject<TableHandle | null>
	wantsMembers: boolean
	onMembersFocused: () => void
}

/** One group beside the tree, from the local copy. */
export function GroupPanel(props: GroupPanelProps) {
	const {group, onClose} = props
	return (
		<SidePanel label={t.groupCursor} size="wide" onClose={onClose}>
			{group === undefined ? <EmptyState title={t.groupNotKnown}>{t.neitherLocal}</EmptyState> : <Inside {...props} group={group} />}
		</SidePanel>
	)
}

function Inside({group, ...props}: GroupPanelProps & {group: GroupNode}) {
	const {path, below} = props
	return (
		<>
			<SidePanelHeader title={group.name} name={group.name}>
				<Ancestry path={path} onGo={props.onGo} />
			</SidePanelHeader>
			<Vanished group={group} />
			{props.odd.length !== 0 && (
				<Banner tone="warning">
					{props.odd.join(' ')} {t.twoGroupsName}
				</Banner>
			)}
			<SidePanelActions>
				<Link look="button" href={`/groups/${group.guid}`}>
					{t.openGroup}
				</Link>
				<GroupActions group={group} onAssign={props.onAssign} />
			</SidePanelActions>
			<CountsCard group={group} below={below} />
			<Members
				group={group}
				below={below}
				withBelow={props.withBelow}
				onWithBelow={props.onWithBelow}
				onOpen={props.onComputer}
				onCursor={props.onMember}
				hasTree
				handle={props.members}
				wantsFocus={props.wantsMembers}
				onFocused={props.onMembersFocused}
			/>
			<PoliciesCard group={group} path={path} />
			<ListsCard group={group} />
			<AboutCard group={group} />
		</>
	)
}

export function Vanished({group}: {group: GroupNode}) {
	if (group.vanishedAt === null) return null
	return (
		<Banner tone="warning">
			{t.serviceNoLonger} <Time at={group.vanishedAt} form="exact" />
			{t.lastKnownValues}
		</Banner>
	)
}

export function GroupActions({group, onAssign}: {group: GroupNode; onAssign: () => void}) {
	const refusal = useWriteRefusal()
	return (
		<>
			<Button lock={refusal} reason={group.vanishedAt === null ? null : t.groupGoneService} onPress={onAssign} opens keys="o">
				{t.assignPolicies}
			</Button>
			<Link look="button" href={`/computers?filter=${encodeURIComponent(filterOf([group]) ?? '')}`}>
				{t.showComputers}
			</Link>
			<Link look="button" href={`/groups/compare?a=${group.guid}`}>
				{t.compareWith}
			</Link>
		</>
	)
}
