import {Lock} from 'lucide-react'
import {type RefObject, useCallback, useEffect, useRef} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import {type ComputerRow, describeComputer} from '#model/computer.ts'
import {formatCount} from '#text/numbers.ts'
import {useActiveFrame, useWriteRefusal, useConnected} from '#api/hooks.tsx'
import {usePaged} from '#api/pages.ts'
import {useCursor} from '#commands/filter/use-cursor.ts'
import {EmptyState, LocalDataError} from '#ui/States.tsx'
import {IsolationState} from '#ui/IsolationState.tsx'
import {KeyCap, Tag} from '#ui/Tag.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {AgeBar} from '#ui/Time.tsx'
import {Checkbox} from '#ui/Field.tsx'
import {putComputer} from './drag.ts'
import {filterOf} from './group-facts.ts'
import styles from './GroupParts.module.css'
import {t} from './text.ts'

interface MembersProps {
	group: GroupNode
	/** The group and those below it. */
	below: readonly GroupNode[]
	withBelow: boolean
	onWithBelow: (on: boolean) => void
	onOpen: (row: ComputerRow) => void
	onCursor: (row: ComputerRow | undefined) => void
	/** Whether a tree beside it accepts drops. */
	hasTree: boolean
	handle: RefObject<TableHandle | null>
	/** Requests the focus once the list exists. */
	wantsFocus: boolean
	onFocused: () => void
}

export function Members(props: MembersProps) {
	const {group, below, withBelow, onWithBelow} = props
	const refusal = useWriteRefusal()
	const all = filterOf(below)
	const filter = withBelow && all !== null ? all : (filterOf([group]) ?? '')
	return (
		<>
			<div className={styles.membersHead}>
				<h2 className={styles.membersTitle}>{t.members}</h2>
				{below.length !== 1 && (
					<Checkbox isSelected={withBelow && all !== null} onChange={onWithBelow} isDisabled={all === null}>
						{t.withThoseOf(below.length - 1, below.length === 2 ? t.subgroup : t.subgroups, all === null ? t.tooManyList : '')}
					</Checkbox>
				)}
			</div>
			<MembersList {...props} filter={filter} onMore={withBelow || all === null ? null : () => onWithBelow(true)} />
			<p className="fact">
				{refusal === null ? (
					<>
						{props.hasTree ? t.dragComputer : t.press}
						<KeyCap keys="m" /> {t.oneMoveDialog(props.hasTree ? t.bothOnlyOpen : t.itOnlyOpens)}
					</>
				) : (
					<>
						<Lock size={12} aria-hidden /> {t.nothingMoved} {refusal}
					</>
				)}
			</p>
		</>
	)
}

interface MembersListProps extends MembersProps {
	filter: string
	/** Includes subgroups; `null` without further computers. */
	onMore: (() => void) | null
}

/** The computers of a group, from the local copy; each can be dragged onto another group, or moved by `m`. */
function MembersList(props: MembersListProps) {
	const {group, filter, onOpen, onCursor, handle, wantsFocus, onFocused} = props
	const {client, connection} = useConnected()
	const refusal = useWriteRefusal()
	const question = {connection, filter, sort: {column: 'hostname', descending: false}} as const
	const rows = usePaged(q => q.computers.query, question)
	const locate = useCallback(
		(asked: typeof question, guid: string, signal: AbortSignal) => client.computers.position({...asked, guid}, {signal}),
		[client]
	)
	const revision = rows.isPrevious ? undefined : rows.newest?.revision
	const cursor = useCursor({question, revision, table: handle, locate, onLost: () => onCursor(undefined)})
	const onlyOnce = useRef(onFocused)
	onlyOnce.current = onFocused
	const isThere = !rows.isFirstLoad
	useEffect(() => {
		if (!wantsFocus || !isThere) return
		handle.current?.focus()
		if (rows.count > 0) handle.current?.goTo(0)
		onlyOnce.current()
	}, [wantsFocus, isThere, handle, rows.count])
	return (
		<div className={styles.members} data-few={rows.count < 8 && isThere}>
			<DataTable
				label={t.computersOf(group.name)}
				source={isThere ? rows : undefined}
				skeletons={4}
				columns={props.withBelow ? columns : ofOneGroup}
				rowKey={row => row.guid}
				describe={describeComputer}
				onOpen={onOpen}
				onCursor={row => {
					cursor.set(row?.guid)
					onCursor(row)
				}}
				onDrag={refusal === null ? putComputer : undefined}
				rowTone={row => (row.vanishedAt === null ? undefined : 'struck')}
				isBusy={!isThere || rows.isPrevious}
				empty={
					rows.error !== null ? (
						<LocalDataError error={rows.error} onRetry={rows.retry} />
					) : (
						<NoMembers below={group.below.computers} onMore={props.onMore} />
					)
				}
				handle={handle}
			/>
		</div>
	)
}

function NoMembers({below, onMore}: {below: number; onMore: MembersListProps['onMore']}) {
	const inventory = useActiveFrame()?.inventory
	const isUnread = inventory !== undefined && inventory.completeAt === null
	if (!isUnread && below > 0 && onMore !== null) return <EmptyState title={t.noMembersOwn} act={[t.showSubgroups(formatCount(below)), onMore]} />
	return <EmptyState title={isUnread ? t.noneLoadedYet : t.noComputers}>{isUnread ? t.listComputers : t.groupEmpty}</EmptyState>
}

const columns: readonly TableColumn<ComputerRow>[] = [
	{
		id: 'hostname',
		title: 'Name',
		width: 176,
		look: 'name',
		cell: row => (
			<span title={row.hostname}>
				<RowLink href={`/computers/${row.guid}`}>{row.hostname}</RowLink> {row.compromised && <Tag tone="bad">{t.compromised}</Tag>}
			</span>
		)
	},
	{id: 'isolation', title: 'Isolation', width: 112, cell: row => <IsolationState state={row.isolation} />},
	{id: 'policy', title: 'Policy in force', width: 130, yields: 1, cell: row => row.policyName},
	{id: 'last_seen', title: 'Last seen', width: 104, yields: 2, look: 'dim', cell: row => <AgeBar at={row.lastSeen} />},
	{id: 'group', title: 'Group', width: 130, yields: 3, cell: row => row.groupName},
	{id: 'os', title: 'Operating system', width: 150, yields: 4, cell: row => row.os}
]

const ofOneGroup = columns.filter(({id}) => id !== 'group')
