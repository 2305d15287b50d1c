import { ListBox, ListBoxItem } from 'react-aria-components';

import type { ComputerRow } from '#shared/model/computer.ts';

import { useSettings } from '../api/hooks.ts';
import { useAnnounce } from '../ui/Announcer.tsx';
import { Button } from '../ui/Button.tsx';
import { writeClipboard } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { copyForms, type CopyForm } from './copy-as.ts';
import styles from './CopyAsDialog.module.css';

/** Puts a computer on the clipboard in the form that is chosen; the CSV has the columns of the table. */
export function CopyAsDialog({ row, onClose }: { readonly row: ComputerRow; readonly onClose: () => void }) {
  const { computerColumns } = useSettings();
  const announce = useAnnounce();
  const forms = copyForms(row, computerColumns);
  const copy = async (form: CopyForm) => {
    const done = await writeClipboard(form.text);
    announce(done ? `${form.title} copied` : `The ${form.title} could not be copied`);
    onClose();
  };
  return (
    <Dialog
      title={`Copy ${row.hostname} as`}
      isOpen
      onClose={onClose}
      size="small"
      footer={<Button onPress={onClose}>Cancel</Button>}
    >
      <ListBox
        aria-label="Forms"
        autoFocus="first"
        className={styles['list'] ?? ''}
        onAction={(key) => {
          const form = forms.find((each) => each.id === key);
          if (form !== undefined) void copy(form);
        }}
      >
        {forms.map((form) => (
          <ListBoxItem key={form.id} id={form.id} textValue={form.title} className={styles['item'] ?? ''}>
            <span className={styles['title']}>{form.title}</span>
            <span className={styles['text']}>{form.text}</span>
          </ListBoxItem>
        ))}
      </ListBox>
    </Dialog>
  );
}
