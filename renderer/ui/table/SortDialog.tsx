import { useState } from 'react';

import { ChoiceDialog } from '../ChoiceDialog.tsx';
import { useKey } from '../keys/KeyRegistry.tsx';
import { t } from '../text.ts';
import { sortChoices } from './sort-choices.ts';
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
  return (
    <ChoiceDialog
      title={t.sortOf(label.toLowerCase())}
      label={t.sortBy}
      details="beside"
      choices={choices.map(({ id, title, now, next }) => ({
        ...{ id, title, detail: next },
        ...(now !== null && { mark: ` · now ${now}` }),
      }))}
      onChoose={onSort}
      onClose={() => setOpen(false)}
    />
  );
}
