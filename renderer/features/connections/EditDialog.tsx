import type { Connection } from '#shared/model/connection.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InView } from '../../ui/InView.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import styles from './connections.module.css';
import { FormNotes } from './FormNotes.tsx';
import { TestResults } from './TestResults.tsx';
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
  const { test, tryOut, problem } = useDraftTest(form, stored);
  const save = async () => {
    const saved = await form.save();
    if (saved !== null) onSaved(saved);
  };
  return (
    <Dialog
      title={stored === null ? 'Connect your service' : `Change ${stored.name}`}
      size="large"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            onPress={tryOut}
            reason={test.isRunning ? 'The test is running.' : null}
            tooltip="Tries every step, from the address to the budget: 1 call"
          >
            Test
          </Button>
          <Button tone="primary" onPress={() => void save()} reason={form.isSaving ? 'It is being saved.' : null}>
            {stored === null ? 'Connect' : 'Save'}
          </Button>
        </>
      }
    >
      <div className={styles['edit']}>
        <FormNotes draft={form.draft} stored={stored} />
        <ConnectionForm
          place={form.place}
          draft={form.draft}
          onChange={form.set}
          problem={problem}
          stored={stored}
          focus={focus}
        />
        {form.failure === null ? null : (
          <InView>
            <Banner tone="bad">{form.failure}</Banner>
          </InView>
        )}
        <TestResults test={test} />
      </div>
    </Dialog>
  );
}
