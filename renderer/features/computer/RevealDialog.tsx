import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { RevealedCode } from '../../commands/RevealedCode.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './dialogs.module.css';
import { Target } from './Target.tsx';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows the unlock code once, for a reason that the log keeps. The code lives in this dialog alone. */
export function RevealDialog({ detail, isOpen, onClose }: DialogProps) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const reveal = useMutation({
    gcTime: 0,
    mutationFn: () => client.isolation.reveal({ connection, guid: detail.row.guid, reason: reason.trim() }),
  });
  const close = () => {
    setReason('');
    setTried(false);
    reveal.reset();
    onClose();
  };
  const send = () => {
    setTried(true);
    if (reason.trim() !== '') reveal.mutate();
  };
  return (
    <Dialog
      title="Reveal the unlock code"
      size="small"
      isOpen={isOpen}
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{reveal.isSuccess ? 'Done' : 'Cancel'}</Button>
          {reveal.isSuccess ? null : (
            <Button tone="hold" onPress={send} reason={reveal.isPending ? 'The service is being asked.' : null}>
              Reveal, and log it
            </Button>
          )}
        </>
      }
    >
      <div className={styles['form']}>
        <Target detail={detail} />
        {reveal.data === undefined ? (
          <TextField
            label="Reason"
            value={reason}
            onChange={setReason}
            isRequired
            autoFocus
            maxLength={255}
            error={tried && reason.trim() === '' ? 'Say why: the log keeps the reason, never the code.' : null}
            description="Who revealed it, when and why goes into the incident log; the code does not."
          />
        ) : (
          <RevealedCode code={reveal.data.code} />
        )}
        {reveal.error === null ? null : <Banner tone="bad">{asCordonError(reveal.error).message}</Banner>}
      </div>
    </Dialog>
  );
}
