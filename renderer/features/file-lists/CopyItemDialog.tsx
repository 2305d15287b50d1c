import { ListBox, ListBoxItem } from 'react-aria-components';

import type { FileListItemRow } from '#shared/contract/directory.ts';
import { shortHash } from '#shared/model/file-hash.ts';

import styles from '../../commands/CopyAsDialog.module.css';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { copyForms, type CopyForm } from './copy-item.ts';

interface CopyItemDialogProps {
  readonly item: FileListItemRow;
  /** GUID of the list; `null` for a hash of no list. */
  readonly list: string | null;
  readonly onClose: () => void;
}

/** Puts a hash on the clipboard in the form that is chosen. */
export function CopyItemDialog({ item, list, onClose }: CopyItemDialogProps) {
  const announce = useAnnounce();
  const forms = copyForms(item, list, window.location.href.replace(/#.*$/, ''));
  const copy = async (form: CopyForm) => {
    const done = await writeClipboard(form.text);
    announce(done ? `${form.title} copied` : `The ${form.title} could not be copied`);
    onClose();
  };
  return (
    <Dialog
      title={`Copy ${shortHash(item.sha256)} as`}
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
