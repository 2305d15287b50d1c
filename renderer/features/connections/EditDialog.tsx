import type { Connection } from '#shared/model/connection.ts';

import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './connections.module.css';
import { DraftFields } from './DraftFields.tsx';
import { t } from './text.ts';
import { useConnectionForm } from './use-connection-form.ts';
import { useDraftTest } from './use-test.ts';

interface EditDialogProps {
  /** `null` for a new one. */
  readonly stored: Connection | null;
  readonly focus: 'name' | 'apiKey';
  readonly onClose: () => void;
  readonly onSaved: (connection: Connection) => void;
}

export function EditDialog({ stored, focus, onClose, onSaved }: EditDialogProps) {
  const form = useConnectionForm(stored);
  const draftTest = useDraftTest(form, stored);
  const { test, tryOut } = draftTest;
  const save = async () => {
    const saved = await form.save();
    if (saved !== null) onSaved(saved);
  };
  return (
    <Dialog
      title={stored === null ? t.connectYourService : t.change(stored.name)}
      size="large"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button onPress={tryOut} reason={test.isRunning ? t.testRunning : null} tooltip={t.checksAddress}>
            {t.testTitle}
          </Button>
          <Button tone="primary" onPress={() => void save()} reason={form.isSaving ? t.saving : null}>
            {stored === null ? t.connect : t.save}
          </Button>
        </>
      }
    >
      <div className={styles['edit']}>
        <DraftFields form={form} draftTest={draftTest} stored={stored} focus={focus} />
      </div>
    </Dialog>
  );
}
