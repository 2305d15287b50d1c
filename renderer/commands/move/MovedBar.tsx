import {Button} from '#ui/Button.tsx'
import {Banner} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import {t} from '../text.ts'
import {undoOf, type Moved, type MoveRequest} from './types.ts'

interface MovedBarProps {
	moved: Moved
	onUndo: (request: MoveRequest) => void
	onDismiss: () => void
}

/** Shows the last move with its undo until the operator dismisses it. */
export function MovedBar({moved, onUndo, onDismiss}: MovedBarProps) {
	return (
		<Banner
			action={
				<Button small opens onPress={() => onUndo(undoOf(moved))}>
					{t.undoMore}
				</Button>
			}
			act={[t.dismiss, onDismiss, null, 'quiet']}
		>
			{t.wasMovedFrom(moved.hostname, moved.from.name, moved.to.name)} <Time at={moved.at} form="clock" focusable />.
		</Banner>
	)
}
