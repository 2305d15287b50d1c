import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Incident } from '#shared/model/incident.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './IncidentLogScreen.module.css';
import { t } from './text.ts';

/** Opens an incident; from then on the entries of this profile join it. */
export function IncidentDialog({
  onClose,
  onOpened,
}: {
  readonly onClose: () => void;
  readonly onOpened: (incident: Incident) => void;
}) {
  const { client } = useApi();
  const [title, setTitle] = useState('');
  const [reference, setReference] = useState('');
  const [tried, setTried] = useState(false);
  const opening = useMutation({
    mutationFn: () => client.log.openIncident({ title: title.trim(), reference: reference.trim() }),
    onSuccess: onOpened,
  });
  const open = () => {
    setTried(true);
    if (title.trim() !== '') opening.mutate();
  };
  return (
    <Dialog
      title={t.newIncident}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button tone="primary" onPress={open} reason={opening.isPending ? t.saving : null}>
            {t.open}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <TextField
          label={t.title}
          value={title}
          onChange={setTitle}
          isRequired
          autoFocus
          maxLength={200}
          error={tried && title.trim() === '' ? t.giveTitle : null}
        />
        <TextField
          label={t.reference}
          value={reference}
          onChange={setReference}
          maxLength={200}
          description={t.ticketNumber}
        />
        <p className={styles['hint']}>{t.newEntries}</p>
        {opening.error === null ? null : <Banner tone="bad">{asCordonError(opening.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
