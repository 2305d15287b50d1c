import {Button} from '../../ui/Button.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Time} from '../../ui/Time.tsx'
import {t} from '../text.ts'
import {undoOf, type Moved, type MoveRequest} from './types.ts'

interface MovedBarProps {
	readonly moved: Moved
	readonly onUndo: (request: MoveRequest) => void
	readonly onDismiss: () => void
}

/** The last move stays in view until it is dismissed, with its way back. */
export function MovedBar({moved, onUndo, onDismiss}: MovedBarProps) {
	return (
		<Banner
			action={
				<>
					<Button size="small" aria-haspopup="dialog" onPress={() => onUndo(undoOf(moved))}>
						{t.undoMore}
					</Button>{' '}
					<Button size="small" tone="quiet" onPress={onDismiss}>
						{t.dismiss}
					</Button>
				</>
			}
		>
			{t.wasMovedFrom(moved.hostname, moved.from.name, moved.to.name)} <Time at={moved.at} form="clock" focusable />.
		</Banner>
	)
}
