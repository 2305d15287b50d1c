import {useWriteRefusal} from '#api/hooks.tsx'
import {SelectionBar} from '#commands/SelectionBar.tsx'
import {Button} from '#ui/Button.tsx'
import {t} from './text.ts'
import type {PickedGroups} from './use-picked.ts'

/** The frozen list of selected groups and its actions. */
export function PickedBar({picked, onShow, onCleared}: {picked: PickedGroups; onShow: () => void; onCleared: () => void}) {
	const {guids, isInView, buttons, assign, change} = picked
	const lock = useWriteRefusal()
	const clear = () => {
		change(new Set())
		onCleared()
	}
	if (guids.length === 0) return null
	return (
		<SelectionBar
			guids={guids}
			forms={['selected group is', 'selected groups are']}
			frozen={t.selectionFrozen}
			isInView={isInView}
			onShow={onShow}
			onClear={clear}
			buttons={buttons}
		>
			<Button
				small
				onPress={() => void assign()}
				opens
				{...(lock !== null && {tooltip: `${lock} A plan can be made and saved.`})}
				{...(isInView && {keys: 'o'})}
			>
				{t.assignPolicies}
			</Button>
		</SelectionBar>
	)
}
