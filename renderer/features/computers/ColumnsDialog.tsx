import { ArrowDown, ArrowUp } from 'lucide-react';

import { computerColumns, computerColumnTitles, type ComputerColumn } from '#shared/model/computer.ts';
import { settingsSchema } from '#shared/model/settings.ts';

import { useSetSettings, useSettings } from '../../api/hooks.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import styles from './ColumnsDialog.module.css';

/** Which columns the table has, and in which order. */
export function ColumnsDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { computerColumns: chosen } = useSettings();
  const set = useSetSettings();
  const shown = chosen.flatMap((id) => computerColumns.filter((column) => column === id));
  const hidden = computerColumns.filter((column) => !shown.includes(column));
  const save = (columns: readonly ComputerColumn[]) => set({ computerColumns: [...columns] });
  return (
    <Dialog
      title="Columns"
      size="small"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button tone="quiet" onPress={() => set({ computerColumns: settingsSchema.parse({}).computerColumns })}>
            Back to the default
          </Button>
          <Button onPress={onClose}>Done</Button>
        </>
      }
    >
      <ul className={styles['list']} aria-label="Columns of the table">
        {[...shown, ...hidden].map((column) => {
          const at = shown.indexOf(column);
          const title = computerColumnTitles[column];
          return (
            <li key={column} className={styles['item']}>
              <Checkbox
                isSelected={at >= 0}
                isDisabled={column === 'hostname'}
                onChange={(selected) => save(selected ? [...shown, column] : shown.filter((each) => each !== column))}
              >
                {title}
              </Checkbox>
              <IconButton
                size="small"
                label={`Move ${title} to the front`}
                isDisabled={at < 1}
                onPress={() => save(moved(shown, at, -1))}
              >
                <ArrowUp size={13} />
              </IconButton>
              <IconButton
                size="small"
                label={`Move ${title} to the back`}
                isDisabled={at < 0 || at === shown.length - 1}
                onPress={() => save(moved(shown, at, 1))}
              >
                <ArrowDown size={13} />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function moved(columns: readonly ComputerColumn[], from: number, by: number): readonly ComputerColumn[] {
  const next = [...columns];
  const [column] = next.splice(from, 1);
  if (column !== undefined) next.splice(from + by, 0, column);
  return next;
}
