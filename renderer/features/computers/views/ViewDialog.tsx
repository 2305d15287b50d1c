import { useState } from 'react';

import type { SavedView } from '#shared/model/saved-view.ts';

import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Checkbox } from '../../../ui/Toggle.tsx';
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
  const [name, setName] = useState(view.name);
  const [pinned, setPinned] = useState(view.pinned);
  const [isDefault, setDefault] = useState(view.isDefault);
  const taken = names.some((each) => each.toLowerCase() === name.trim().toLowerCase());
  const problem = name.trim() === '' ? 'Give it a name.' : taken ? 'Another view has this name.' : null;
  const save = () => {
    if (problem !== null) return;
    onSave({ ...view, name: name.trim(), pinned, isDefault });
    onClose();
  };
  return (
    <Dialog
      title={isNew ? 'Save as a view' : `View ${view.name}`}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          {isNew ? null : (
            <Button
              tone="danger"
              onPress={() => {
                onRemove(view.id);
                onClose();
              }}
            >
              Delete the view
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" onPress={save} reason={problem}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={60}
          autoFocus
          error={taken ? problem : null}
          onKeyDown={({ key }) => {
            if (key === 'Enter') save();
          }}
        />
        <p className={styles['facts']}>
          {view.filter === '' ? 'No filter' : `Filter: ${view.filter}`} · by {view.sort.replaceAll('_', ' ')}
          {view.descending ? ', descending' : ''} · {view.columns.length} columns
        </p>
        <Checkbox isSelected={pinned} onChange={setPinned}>
          Pin it above the list
        </Checkbox>
        <Checkbox isSelected={isDefault} onChange={setDefault}>
          Open the list with it
        </Checkbox>
      </div>
    </Dialog>
  );
}
