import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { JoinedRow } from '#shared/contract/log.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useSettings } from '../../api/hooks.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './IncidentLogScreen.module.css';
import { t } from './text.ts';

interface PinDialogProps {
  readonly row: JoinedRow;
  /** Whose audit log the row is from. */
  readonly connection: string | null;
  /** It is evidence now, and shall be none any more. */
  readonly isPinned: boolean;
  readonly onClose: () => void;
}

/** A pin is an entry of the log, and so is taking it back: nothing is rewritten. */
export function PinDialog({ row, connection, isPinned, onClose }: PinDialogProps) {
  const { client } = useApi();
  const { activeIncident: incident } = useSettings();
  const announce = useAnnounce();
  const [reason, setReason] = useState('');
  const pinning = useMutation({
    mutationFn: async () => {
      const common = { reason: reason.trim(), incident };
      if (row.kind === 'own') return client.log.setPinned({ id: row.entry.id, pinned: !isPinned, ...common });
      return client.log.pinElsewhere({ connection: connection ?? '', key: row.record.key, ...common });
    },
    onSuccess: () => {
      announce(isPinned ? 'Entry unpinned' : 'Pinned as evidence');
      onClose();
    },
  });
  return (
    <Dialog
      title={isPinned ? t.unpinEvidence : t.pinAsEvidenceTitle}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button tone="primary" onPress={() => pinning.mutate()} reason={pinning.isPending ? t.saving : null}>
            {isPinned ? t.unpinTitle : t.pin}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <blockquote className={styles['quote']}>
          {row.kind === 'own' ? row.entry.message : `${row.record.user}: ${row.record.message}`}
        </blockquote>
        <TextField label={t.why} value={reason} onChange={setReason} autoFocus maxLength={1000} />
        <p className={styles['hint']}>{row.kind === 'elsewhere' ? t.copiesRecord : t.cordonRecordsNew}</p>
        {pinning.error === null ? null : <Banner tone="bad">{asCordonError(pinning.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
