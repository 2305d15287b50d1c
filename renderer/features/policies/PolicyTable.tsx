import {useMemo, type ReactNode, type Ref} from 'react'

import type {PolicyRow} from '#contract/directory.ts'
import {counted} from '#text/numbers.ts'

import {Button} from '#ui/Button.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {ScreenBody} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {describeLists, listMatrixColumns, policyColumns, roomForLists} from './columns.tsx'
import {useRoom} from '#ui/use-room.ts'
import {listColumns, listColumnsAtOnce, noListWords} from './matrix.ts'
import {describePolicy} from './policy-facts.ts'
import styles from './policies.module.css'
import {t} from './text.ts'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import type {TableHandle} from '#ui/table/types.ts'

interface PolicyTableProps {
	view: 'list' | 'lists'
	asked: string
	policies: readonly PolicyRow[]
	from: number
	onFrom: (from: number) => void
	waiting: boolean
	/** Whether policies exist, shown or not: without any there is no mark to explain. */
	hasAny: boolean
	empty: ReactNode
	handle: Ref<TableHandle>
	selection: ReadonlySet<string>
	onSelection: (selection: ReadonlySet<string>) => void
	onOpen: (row: PolicyRow) => void
	menu: (row: PolicyRow) => RowActs
	isPeeking: boolean
	onPeek: (row: PolicyRow) => void
	onCursor: (row: PolicyRow | undefined) => void
	children: ReactNode
}

export function PolicyTable(props: PolicyTableProps) {
	const {view, policies, from, onFrom, waiting, hasAny, empty, children} = props
	const lists = useMemo(() => listColumns(policies, from), [policies, from])
	const columns = useMemo(() => (view === 'list' ? policyColumns : listMatrixColumns(lists)), [view, lists])
	return (
		<>
			{view !== 'list' && !waiting && hasAny && <Legend lists={lists} none={noListWords(policies)} onFrom={onFrom} />}
			<ScreenBody>
				<div className={styles.table}>
					<DataTable
						key={view}
						label={view === 'list' ? t.policies : t.policiesFile}
						source={waiting ? undefined : policies}
						columns={columns}
						rowKey={row => row.guid}
						list={props.asked}
						describe={view === 'list' ? describePolicy : describeLists}
						selection={props.selection}
						// Two are compared: a third one replaces the first.
						onSelectionChange={next => props.onSelection(new Set([...next].slice(-2)))}
						rowTone={row => (row.vanishedAt === null ? undefined : 'struck')}
						onOpen={props.onOpen}
						menu={props.menu}
						isPeeking={props.isPeeking}
						onPeek={props.onPeek}
						onCursor={props.onCursor}
						isBusy={waiting}
						empty={empty}
						handle={props.handle}
					/>
				</div>
				{children}
			</ScreenBody>
		</>
	)
}

interface LegendProps {
	lists: ReturnType<typeof listColumns>
	/** Why there may be no list. */
	none: string | null
	onFrom: (from: number) => void
}

/** The meaning of the marks, and the visible part of many lists. */
function Legend({lists: {columns, from, of}, none, onFrom}: LegendProps) {
	const last = from + columns.length
	const hasRoom = useRoom(roomForLists(columns.length))
	return (
		<p className={styles.legend}>
			<span>{t.usesTheList}</span>
			<span>{t.doesNot}</span>
			<span>{t.notLoaded}</span>
			<span>{of === 0 ? none : of > columns.length ? t.listsToOf(from + 1, last, of) : `${counted(of, ['list', 'lists'])}`}</span>
			{!hasRoom && (
				<span>
					<KeyCap keys="←" /> <KeyCap keys="→" /> {t.sideways}
				</span>
			)}
			{of <= listColumnsAtOnce ? null : (
				<span>
					<Button small onPress={() => onFrom(from - listColumnsAtOnce)} reason={from === 0 ? t.firstPage : null}>
						{t.listsBefore}
					</Button>{' '}
					<Button small onPress={() => onFrom(from + listColumnsAtOnce)} reason={last >= of ? t.lastPage : null}>
						{t.listsAfter}
					</Button>
				</span>
			)}
		</p>
	)
}
