import type {Ref} from 'react'

import {counted} from '#text/numbers.ts'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {Button} from '#ui/Button.tsx'
import {Segments} from '#ui/Segments.tsx'
import styles from './GroupsScreen.module.css'
import type {GroupView} from './search.ts'
import {t} from './text.ts'

interface TreeToolsProps {
	view: GroupView
	onView: (view: GroupView) => void
	/** Number of groups with misleading names. */
	odd: number
	onNextOdd: () => void
	search: string | undefined
	onSearch: (text: string | undefined) => void
	onLeave: () => void
	onFoldAll: (isOpen: boolean) => void
	searchBox: Ref<HTMLInputElement>
}

const views: readonly {value: GroupView; title: string}[] = [
	{value: 'tree', title: 'Tree'},
	{value: 'icicle', title: 'By computers'},
	{value: 'policies', title: 'To policies'}
]

export function TreeTools(props: TreeToolsProps) {
	const {view, onView, odd, search, onSearch, onLeave, onFoldAll, searchBox} = props
	const reason = (search ?? '').trim() === '' ? null : 'A search shows what it finds, all open.'
	return (
		<div className={styles.searchLine}>
			<Segments label={t.view} options={views} value={view} onChange={onView} />
			<AddressField
				label={t.searchTheGroups}
				hideLabel
				placeholder={t.partOfNameOrGuid}
				value={search}
				onChange={onSearch}
				inputRef={searchBox}
				className={styles.search}
				onLeave={onLeave}
			/>
			{view === 'tree' && (
				<>
					<Button small onPress={() => onFoldAll(true)} reason={reason}>
						{t.expandAll}
					</Button>
					<Button small onPress={() => onFoldAll(false)} reason={reason}>
						{t.collapseAll}
					</Button>
					<span className="note">{t.numbersOwn}</span>
				</>
			)}
			{odd !== 0 && (
				<Button small tone="quiet" onPress={props.onNextOdd} tooltip={t.goNextOne}>
					{t.toCheck(counted(odd, ['name', 'names']))}
				</Button>
			)}
		</div>
	)
}
