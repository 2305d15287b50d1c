import type {ReactNode, Ref} from 'react'

import {counted, formatCount, type Forms} from '#text/numbers.ts'

import {Button, useCopy} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Chip} from '#ui/Tag.tsx'
import styles from './SelectionBar.module.css'
import {t} from './text.ts'

interface SelectionBarProps {
	guids: readonly string[]
	/** Such as `selected group is`. */
	forms: Forms
	/** What does not change the selection, in a sentence. */
	frozen: string
	/** Whether any selected row is visible. */
	isInView: boolean
	onShow: () => void
	onClear: () => void
	buttons: Ref<HTMLDivElement>
	chips?: Ref<HTMLSpanElement>
	marks?: ReactNode
	/** Its actions. */
	children: ReactNode
}

/** A frozen selection and its actions. Below the rows: above, they would move when it appears. */
export function SelectionBar({guids, forms, frozen, isInView, onShow, onClear, buttons, chips, marks, children}: SelectionBarProps) {
	const copy = useCopy()
	const size = formatCount(guids.length)
	return (
		<div className={cx('cluster', styles.bar)} role="group" aria-label={t.selection} ref={buttons}>
			<span role="status" className={styles.chips} ref={chips} tabIndex={-1}>
				<Chip tone="accent" onRemove={onClear} removeLabel={t.clearTheSelection}>
					{t.selected(size)}
				</Chip>
				{marks}
			</span>
			<span className={cx('note', styles.hint)}>{isInView ? frozen : t.outOfView(counted(guids.length, forms))}</span>
			{!isInView && (
				<>
					<Button small tone="quiet" onPress={onShow}>
						{t.showSelected}
					</Button>
					<Button small tone="quiet" onPress={onClear}>
						{t.clearSelection}
					</Button>
				</>
			)}
			{children}
			<Button small onPress={() => copy(`${size} GUIDs`, guids.join('\n'))}>
				{t.copyGUIDs}
			</Button>
		</div>
	)
}
