import { Button } from '../../ui/Button.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Time } from '../../ui/Time.tsx';
import { undoOf, type Moved, type MoveRequest } from './types.ts';

interface MovedBarProps {
  readonly moved: Moved;
  readonly onUndo: (request: MoveRequest) => void;
  readonly onDismiss: () => void;
}

/** The last move stays in view until it is dismissed, with its way back. */
export function MovedBar({ moved, onUndo, onDismiss }: MovedBarProps) {
  return (
    <Banner
      action={
        <>
          <Button size="small" aria-haspopup="dialog" onPress={() => onUndo(undoOf(moved))}>
            Undo…
          </Button>{' '}
          <Button size="small" tone="quiet" onPress={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      {moved.hostname} was moved from {moved.from.name} to {moved.to.name} at{' '}
      <Time at={moved.at} form="clock" focusable />.
    </Banner>
  );
}
