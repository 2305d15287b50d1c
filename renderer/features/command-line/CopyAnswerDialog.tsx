import type { KnownCommand } from '#shared/commands/parse.ts';
import type { CommandResult } from '#shared/commands/result.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveText } from '../../ui/save.ts';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './CommandLine.module.css';
import { answerForms, type AnswerForm } from './forms.ts';
import { t } from './text.ts';

interface CopyAnswerDialogProps {
  readonly spec: KnownCommand;
  readonly line: string;
  readonly result: CommandResult;
  readonly onClose: () => void;
}

/** Puts an answer on the clipboard or into a file, in the form that is chosen. */
export function CopyAnswerDialog({ spec, line, result, onClose }: CopyAnswerDialogProps) {
  const announce = useAnnounce();
  const copy = async (form: AnswerForm) => {
    const done = await writeClipboard(form.text());
    announce(done ? `${form.title} copied` : `The ${form.title} could not be copied`);
    onClose();
  };
  const save = (form: AnswerForm) => {
    saveText({ name: `${spec.name}.${form.ending ?? 'txt'}`, mediaType: form.mediaType, text: form.text() });
    onClose();
  };
  return (
    <Dialog
      title={t.copySaveAnswer}
      size="small"
      isOpen
      onClose={onClose}
      footer={<Button onPress={onClose}>{t.cancel}</Button>}
    >
      <ul className={styles['forms']} aria-label={t.forms}>
        {answerForms(spec, line, result).map((form, index) => (
          <li key={form.id} className={styles['form']}>
            <span>{form.title}</span>
            <Button
              size="small"
              autoFocus={index === 0}
              onPress={() => void copy(form)}
              aria-label={t.copyAsOf(form.title)}
            >
              {t.copy}
            </Button>
            {form.ending === null ? (
              <span />
            ) : (
              <Button size="small" onPress={() => save(form)} aria-label={t.saveAs(form.title)}>
                {t.save}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
