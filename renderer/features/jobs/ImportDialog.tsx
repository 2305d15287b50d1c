import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import type { JobPlan } from '#shared/model/job.ts';
import { asSentence } from '#shared/sentence.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { unseen } from '../../ui/unseen.ts';
import styles from './jobs.module.css';
import { t } from './text.ts';

interface ImportDialogProps {
  readonly onPlan: (plan: JobPlan) => void;
  readonly onClose: () => void;
}

/** What goes over the wire in one message; a plan of 50,000 targets is smaller. */
const largestFile = 20_000_000;

/** Takes a plan that somebody saved. It is checked whole before anything of it is believed, and nothing is sent. */
export function ImportDialog({ onPlan, onClose }: ImportDialogProps) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (given: string) => client.jobs.importPlan({ connection, text: given }),
    onSuccess: onPlan,
  });
  const fits = (size: number, name: string): boolean => {
    setRefused(size > largestFile ? `${name} is larger than 20 MB: apply it with cordon job … --apply FILE.` : null);
    return size <= largestFile;
  };
  const read = async (file: File | undefined) => {
    if (file !== undefined && fits(file.size, file.name)) mutate(await file.text().catch(() => ''));
  };
  const failure = error === null ? null : asCordonError(error);
  const { field } = failure?.details ?? {};
  return (
    <Dialog
      title={t.planFile}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            tone="primary"
            onPress={() => fits(text.length, 'The text') && mutate(text)}
            reason={isPending ? t.checking : text.trim() === '' ? t.chooseFile : null}
          >
            {t.reviewPlan}
          </Button>
        </>
      }
    >
      <p>{t.planSavedHere}</p>
      <div
        className={styles['drop']}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void read(event.dataTransfer.files[0]);
        }}
      >
        <Button onPress={() => picker.current?.click()} autoFocus>
          {t.chooseAFile}
        </Button>
        <span className={styles['dim']}>{t.dropHere}</span>
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          aria-label={t.planFileTitle}
          className={unseen}
          tabIndex={-1}
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <TextArea label={t.pasteText} value={text} onChange={setText} rows={4} mono />
      {refused === null ? null : <Banner tone="bad">{refused}</Banner>}
      {failure === null ? null : (
        <Banner tone="bad">
          {asSentence(failure.message)}
          {field === undefined ? null : (
            <>
              {' '}
              {t.at} <code>{field}</code>.
            </>
          )}
        </Banner>
      )}
    </Dialog>
  );
}
