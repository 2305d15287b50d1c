import {useMemo, type ReactNode, type Ref} from 'react'

import {counted} from '#text/numbers.ts'

import {calls} from '#commands/directory/directory-words.ts'
import {ScreenBody} from '#ui/Screen.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import {describeLine, groupColumns} from './columns.tsx'
import {unreadGroups, type GroupLine} from './matrix.ts'
import styles from './policies.module.css'
import {t} from './text.ts'
import type {TableHandle} from '#ui/table/types.ts'

interface GroupMatrixProps {
	lines: readonly GroupLine[]
	products: readonly string[]
	asked: string
	waiting: boolean
	/** Whether groups exist, shown or not: without any there is no mark to explain. */
	hasAny: boolean
	empty: ReactNode
	handle: Ref<TableHandle>
	onOpen: (line: GroupLine) => void
	onCursor: (line: GroupLine | undefined) => void
}

/** Policies by group: a row per group in tree order, a column per product. */
export function GroupMatrix({lines, products, asked, waiting, hasAny, empty, handle, onOpen, onCursor}: GroupMatrixProps) {
	const columns = useMemo(() => groupColumns(products), [products])
	const unread = useMemo(() => unreadGroups(lines), [lines])
	return (
		<>
			{(hasAny || waiting) && <Legend unread={unread} />}
			<ScreenBody>
				<div className={styles.table}>
					<DataTable
						label={t.groupsPolicies}
						source={waiting ? undefined : lines}
						columns={columns}
						rowKey={line => line.group.guid}
						list={asked}
						describe={describeLine}
						rowTone={line => (line.group.vanishedAt === null ? undefined : 'struck')}
						onOpen={onOpen}
						onCursor={onCursor}
						isBusy={waiting}
						empty={empty}
						handle={handle}
					/>
				</div>
			</ScreenBody>
		</>
	)
}

function Legend({unread}: {unread: number}) {
	return (
		<p className={styles.legend}>
			<span>{t.own}</span>
			<span>{t.inherited}</span>
			<span>{t.noneTitle}</span>
			<span>{t.notLoaded}</span>
			{unread !== 0 && <span>{t.notLoadedOne(counted(unread, ['group is', 'groups are']), calls(unread))}</span>}
		</p>
	)
}
