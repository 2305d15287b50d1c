import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { buttonWords } from '../../commands/effect.ts';
import { PreflightNotes, usePreflight } from '../../commands/Preflight.tsx';
import { RunNote } from '../../commands/RunNote.tsx';
import { useRun } from '../../commands/use-run.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './dialogs.module.css';
import { Reason } from './Reason.tsx';
import { Target } from './Target.tsx';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const templates = ['Host is clean', 'Reimaged', 'False positive', 'Isolated by mistake'] as const;

/** Asks why and sends one request. A release may spend the reserve of the budget. */
export function ReleaseDialog({ detail, isOpen, onClose }: DialogProps) {
  const { row } = detail;
  const connection = useActiveConnection();
  const writeRefusal = useWriteRefusal();
  const announce = useAnnounce();
  const preflight = usePreflight(row.guid, 'release', isOpen);
  const runner = useRun();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const reasonError =
    tried && reason.trim() === '' ? 'Say why: it goes into the log and into the service’s own record.' : null;

  const close = () => {
    setReason('');
    setTried(false);
    runner.reset();
    onClose();
  };
  const send = async () => {
    setTried(true);
    if (reason.trim() === '') return;
    const args = { connector_guid: row.guid, comment: reason.trim() };
    const result = await runner.run({ name: 'svc_delete_computers_isolation', args });
    if (result === null) return;
    announce(result.message);
    close();
  };
  const waits = preflight.refusal ?? (runner.state.kind === 'running' ? 'The request is under way.' : null);
  return (
    <Dialog
      title={`Release ${row.hostname}`}
      isOpen={isOpen}
      onClose={close}
      tone="connection"
      footer={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button tone="connection" lock={writeRefusal} reason={waits} onPress={() => void send()}>
            {buttonWords(`Release ${row.hostname}`, connection)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Target detail={detail} />
        <p className={styles['effect']}>
          Its network comes back once its agent has answered. Until then it stays cut off.
        </p>
        <PreflightNotes view={preflight} />
        <Reason
          value={reason}
          onChange={setReason}
          templates={templates}
          error={reasonError}
          description="Kept in the incident log and sent to the service as the comment."
        />
        <RunNote runner={runner} />
      </div>
    </Dialog>
  );
}
