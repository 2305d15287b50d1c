import {Banner} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import {t} from '../text.ts'
import {UndoButton} from '../undo/UndoListDialog.tsx'
import type {Moved} from './types.ts'

interface MovedBarProps {
	moved: Moved
	onDismiss: () => void
}

/** Shows the last move with its undo until it is undone, or the operator dismisses it. */
export function MovedBar({moved: {hostname, from, to, at, entry}, onDismiss}: MovedBarProps) {
	return (
		<Banner action={<UndoButton id={entry} onUndone={onDismiss} small />} act={[t.dismiss, onDismiss, null, 'quiet']}>
			{t.wasMovedFrom(hostname, from.name, to.name)} <Time at={at} form="clock" focusable />.
		</Banner>
	)
}
