import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { PlaybookInput, PlaybookRun, PlaybookSummary } from '#shared/model/playbook.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './playbooks.module.css';
import { t } from './text.ts';

interface StartDialogProps {
  readonly playbook: PlaybookSummary;
  readonly onStarted: (run: PlaybookRun) => void;
  readonly onClose: () => void;
}

/** One field for each external variable. What the guard rules ask about is asked by the steps themselves. */
export function StartDialog({ playbook, onStarted, onClose }: StartDialogProps) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const { id, name, description, inputs } = playbook;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const start = useMutation({
    mutationFn: () => client.playbooks.start({ playbook: id, connection, variables: given(inputs, values) }),
    onSuccess: onStarted,
  });
  const error = start.error === null ? null : asCordonError(start.error);
  const missing = inputs.find((one) => (values[one.name] ?? one.value ?? '') === '');
  return (
    <Dialog
      title={t.startPlaybook(name)}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            tone="primary"
            onPress={() => start.mutate()}
            reason={missing === undefined ? null : t.missing(labelOf(missing))}
          >
            {t.startNow}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <p>{description}</p>
        {inputs.map((input, index) => (
          <TextField
            key={input.name}
            label={labelOf(input)}
            value={values[input.name] ?? input.value ?? ''}
            onChange={(value) => setValues((old) => ({ ...old, [input.name]: value }))}
            error={error?.details.field === input.name ? error.message : null}
            autoFocus={index === 0}
          />
        ))}
        {error === null ? null : <Banner tone="bad">{error.message}</Banner>}
      </div>
    </Dialog>
  );
}

function labelOf({ name, description }: PlaybookInput): string {
  return description === '' ? name.replaceAll('__', '') : description;
}

function given(inputs: readonly PlaybookInput[], values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(inputs.map(({ name, value }) => [name, values[name] ?? value ?? '']));
}
