import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { EventView } from '#shared/contract/event-views.ts';

import { asCordonError } from '../../../api/errors.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { describeView } from './event-view.ts';

interface EventViewDialogProps {
  readonly view: EventView;
  /** Of the other views. */
  readonly names: readonly string[];
  readonly onSave: (view: EventView) => Promise<unknown>;
  /** `null`: it is not kept yet. */
  readonly onRemove: (() => Promise<unknown>) | null;
  readonly onClose: () => void;
}

/** The name of a view; filter, time and grouping are those of the screen. */
export function EventViewDialog({ view, names, onSave, onRemove, onClose }: EventViewDialogProps) {
  const [name, setName] = useState(view.name);
  const taken = names.some((each) => each.toLowerCase() === name.trim().toLowerCase());
  const problem = name.trim() === '' ? 'Give it a name.' : taken ? 'Another view has this name.' : null;
  const { mutate: act, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: onClose,
  });
  const save = () => {
    if (problem === null) act(() => onSave({ ...view, name: name.trim() }));
  };
  return (
    <Dialog
      title={onRemove === null ? 'Save as a view' : `View ${view.name}`}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          {onRemove === null ? null : (
            <Button tone="danger" onPress={() => act(onRemove)}>
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
      {error === null ? null : <Banner tone="bad">It could not be kept: {asCordonError(error).message}</Banner>}
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={60}
        autoFocus
        error={taken ? problem : null}
        description={`It keeps: ${describeView(view)}.`}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save();
        }}
      />
    </Dialog>
  );
}
