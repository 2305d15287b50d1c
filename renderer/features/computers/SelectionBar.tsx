import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { Chip } from '../../ui/Tag.tsx';
import { formatCount } from '../../ui/time.ts';
import styles from './ComputersScreen.module.css';

interface SelectionBarProps {
  readonly selection: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** The frozen list of picked computers: no filter and no refresh changes it. */
export function SelectionBar({ selection, onClear }: SelectionBarProps) {
  const announce = useAnnounce();
  const copy = async () => {
    const done = await writeClipboard([...selection].join('\n'));
    announce(done ? `${formatCount(selection.size)} GUIDs copied` : 'The GUIDs could not be copied');
  };
  return (
    <div className={styles['selection']} role="status">
      <Chip tone="accent" onRemove={onClear} removeLabel="Clear the selection">
        {formatCount(selection.size)} selected
      </Chip>
      <span className={styles['hint']}>The list is frozen: filters and refreshes do not change it.</span>
      <Button size="small" onPress={() => void copy()}>
        Copy GUIDs
      </Button>
    </div>
  );
}
