import {ArrowDown, ArrowUp} from 'lucide-react'
import {useState} from 'react'

import {computerColumns, computerColumnTitles, readColumns, writeColumns, type ChosenColumn, type ComputerColumn} from '#model/computer.ts'
import {settingsSchema} from '#model/settings.ts'

import {Button, IconButton} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField, Checkbox} from '#ui/Field.tsx'
import styles from './ColumnsDialog.module.css'
import {t} from './text.ts'

interface ColumnsDialogProps {
	/** Stored form. */
	columns: readonly string[]
	/** Those that fit, joined by blanks. */
	fitting: string
	/** Name of their view; `null` without one. */
	view: string | null
	onChange: (columns: readonly string[]) => void
	onClose: () => void
}

export function ColumnsDialog({columns, fitting, view, onChange, onClose}: ColumnsDialogProps) {
	const shown = readColumns(columns)
	const hidden = computerColumns.filter(column => !shown.some(each => each.column === column))
	const save = (next: readonly ChosenColumn[]) => onChange(writeColumns(next))
	return (
		<Dialog
			title={view === null ? t.columns : t.columnsOf(view)}
			size="small"
			onClose={onClose}
			footer={
				<>
					<Button tone="quiet" onPress={() => onChange(settingsSchema.parse({}).computerColumns)}>
						{t.resetToDefault}
					</Button>
					<Button onPress={onClose}>{t.done}</Button>
				</>
			}
		>
			<div className={cx('note', styles.item, styles.head)} aria-hidden>
				{t.widthInPixels}
			</div>
			<ul className={styles.list} aria-label={t.columnsTable}>
				{shown.map(({column, width}, at) => (
					<li key={column} className={styles.item}>
						<Checkbox isSelected isDisabled={column === 'hostname'} onChange={() => save(shown.filter(each => each.column !== column))}>
							<span>
								{computerColumnTitles[column]}
								{!fitting.split(' ').includes(column) && <span className={cx('note', styles.below)}>{t.notShownAtWidth}</span>}
							</span>
						</Checkbox>
						<Width
							key={width}
							column={column}
							width={width}
							onChange={next => save(shown.map(each => (each.column === column ? {column, width: next} : each)))}
						/>
						<Place column={column} at={at} last={shown.length - 1} onMove={by => save(moved(shown, at, by))} />
					</li>
				))}
				{hidden.map(column => (
					<li key={column} className={styles.item}>
						<Checkbox isSelected={false} onChange={() => save([...shown, {column, width: null}])}>
							{computerColumnTitles[column]}
						</Checkbox>
					</li>
				))}
			</ul>
		</Dialog>
	)
}

/** Pixels; empty for automatic width. */
function Width({column, width, onChange}: {column: ComputerColumn; width: number | null; onChange: (width: number | null) => void}) {
	const [text, setText] = useState(width === null ? '' : String(width))
	const isGood = text === '' || (/^\d{2,4}$/.test(text) && Number(text) >= 56 && Number(text) <= 1200)
	return (
		<TextField
			label={t.widthPixels(computerColumnTitles[column])}
			hideLabel
			mono
			value={text}
			placeholder={t.auto}
			maxLength={4}
			onChange={setText}
			error={isGood ? null : t.n56To1200}
			onBlur={() => {
				if (isGood) onChange(text === '' ? null : Number(text))
			}}
			className={styles.width}
		/>
	)
}

interface PlaceProps {
	column: ComputerColumn
	at: number
	last: number
	onMove: (by: -1 | 1) => void
}

function Place({column, at, last, onMove}: PlaceProps) {
	const title = computerColumnTitles[column]
	return (
		<>
			<IconButton small label={t.moveFront(title)} isDisabled={at < 1} onPress={() => onMove(-1)}>
				<ArrowUp size={13} />
			</IconButton>
			<IconButton small label={t.moveBack(title)} isDisabled={at === last} onPress={() => onMove(1)}>
				<ArrowDown size={13} />
			</IconButton>
		</>
	)
}

function moved(columns: readonly ChosenColumn[], from: number, by: number) {
	const next = [...columns]
	const [column] = next.splice(from, 1)
	if (column !== undefined) next.splice(from + by, 0, column)
	return next
}
