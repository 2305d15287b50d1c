import {formatCount} from '#text/numbers.ts'

import {useWriteRefusal} from '#api/hooks.tsx'
import {OutOfView} from '#commands/OutOfView.tsx'
import {Button, useCopy} from '#ui/Button.tsx'
import {KeyCap, Chip} from '#ui/Tag.tsx'
import styles from './GroupsScreen.module.css'
import {t} from './text.ts'
import type {PickedGroups} from './use-picked.ts'

interface PickedBarProps {
	picked: PickedGroups
	onShow: () => void
	onCleared: () => void
}

/** The frozen list of selected groups and its actions. */
export function PickedBar({picked, onShow, onCleared}: PickedBarProps) {
	const {guids, isInView, buttons, assign, change} = picked
	const lock = useWriteRefusal()
	const copy = useCopy()
	const clear = () => {
		change(new Set())
		onCleared()
	}
	if (guids.length === 0) return null
	return (
		<div className={styles.picked} role="group" aria-label={t.selection} ref={buttons}>
			<Chip tone="accent" onRemove={clear} removeLabel={t.clearTheSelection}>
				{t.selected(formatCount(guids.length))}
			</Chip>
			{isInView ? (
				<span className={styles.hint}>{t.selectionFrozen}</span>
			) : (
				<OutOfView
					count={guids.length}
					forms={['selected group is', 'selected groups are']}
					className={styles.hint}
					onShow={onShow}
					onClear={clear}
				/>
			)}
			<Button
				small
				onPress={() => void assign()}
				opens
				{...(lock === null ? {} : {tooltip: `${lock} A plan can be made and saved.`})}
			>
				{t.assignPolicies} <KeyCap keys="o" />
			</Button>
			<Button small onPress={() => copy(`${formatCount(guids.length)} GUIDs`, guids.join('\n'))}>
				{t.copyGUIDs}
			</Button>
		</div>
	)
}
