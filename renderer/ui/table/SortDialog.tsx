import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';

import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { useKey } from '../keys/KeyRegistry.tsx';
import { sortChoices, type SortChoice } from './sort-choices.ts';
import styles from './SortDialog.module.css';
import type { TableColumn, TableSort } from './types.ts';

interface SortDialogProps {
  /** Name of the table. */
  readonly label: string;
  /** All of them, also those that the table has no room for now. */
  readonly columns: readonly TableColumn<never>[];
  readonly sort: TableSort | null;
  readonly onSort: (column: string) => void;
}

/** The order of a table by keyboard: its key opens the columns that it can be sorted by. */
export function SortDialog({ label, columns, sort, onSort }: SortDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const choices = sortChoices(columns, sort);
  useKey('list.sort', () => setOpen(true), choices.length > 0);
  if (!isOpen) return null;
  const close = () => setOpen(false);
  return (
    <Dialog
      title={`Sort: ${label.toLowerCase()}`}
      isOpen
      onClose={close}
      size="small"
      footer={<Button onPress={close}>Cancel</Button>}
    >
      <ListBox
        aria-label="Sort by"
        autoFocus="first"
        className={styles['list'] ?? ''}
        onAction={(key) => {
          onSort(String(key));
          close();
        }}
      >
        {choices.map((choice) => (
          <Choice key={choice.id} choice={choice} />
        ))}
      </ListBox>
    </Dialog>
  );
}

function Choice({ choice: { id, title, now, next } }: { readonly choice: SortChoice }) {
  return (
    <ListBoxItem id={id} textValue={title} className={styles['item'] ?? ''}>
      <span>{now === null ? title : `${title} · now ${now}`}</span>
      <span className={styles['next']}>{next}</span>
    </ListBoxItem>
  );
}
