import { ListBox, ListBoxItem } from 'react-aria-components';

import { useAnnounce } from '../ui/Announcer.tsx';
import { Button } from '../ui/Button.tsx';
import { writeClipboard } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './CopyAsDialog.module.css';

interface Form {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface CopyDialogProps {
  readonly title: string;
  readonly forms: readonly Form[];
  readonly onClose: () => void;
}

/** Puts something on the clipboard in the form that is chosen. */
export function CopyDialog({ title, forms, onClose }: CopyDialogProps) {
  const announce = useAnnounce();
  const copy = async (form: Form) => {
    const done = await writeClipboard(form.text);
    announce(done ? `${form.title} copied` : `The ${form.title} could not be copied`);
    onClose();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} size="small" footer={<Button onPress={onClose}>Cancel</Button>}>
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
