import { useState } from 'react';

import type { SavedView } from '#shared/model/saved-view.ts';

import { ViewNameDialog } from '../../../commands/views/ViewNameDialog.tsx';
import { Checkbox } from '../../../ui/Toggle.tsx';
import { t } from '../text.ts';
import styles from './ViewsLine.module.css';

interface ViewDialogProps {
  readonly view: SavedView;
  readonly isNew: boolean;
  readonly names: readonly string[];
  readonly onSave: (view: SavedView) => void;
  readonly onRemove: (id: string) => void;
  readonly onClose: () => void;
}

/** Name and place of a view; filter, order and columns are those of the list. */
export function ViewDialog({ view, isNew, names, onSave, onRemove, onClose }: ViewDialogProps) {
  const [pinned, setPinned] = useState(view.pinned);
  const [isDefault, setDefault] = useState(view.isDefault);
  const remove = () => {
    onRemove(view.id);
    onClose();
  };
  return (
    <ViewNameDialog
      name={view.name}
      names={names}
      onSave={(name) => {
        onSave({ ...view, name, pinned, isDefault });
        onClose();
      }}
      onRemove={isNew ? null : remove}
      onClose={onClose}
    >
      <p className={styles['facts']}>
        {t.byColumns(
          view.filter === '' ? t.noFilter : t.filter(view.filter),
          view.sort.replaceAll('_', ' '),
          view.descending ? t.descending : '',
          view.columns.length,
        )}
      </p>
      <Checkbox isSelected={pinned} onChange={setPinned}>
        {t.pinAboveList}
      </Checkbox>
      <Checkbox isSelected={isDefault} onChange={setDefault}>
        {t.applyWhenList}
      </Checkbox>
    </ViewNameDialog>
  );
}
