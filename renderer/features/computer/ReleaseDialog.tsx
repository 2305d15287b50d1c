import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';

import { PreflightNotes, usePreflight } from '../../commands/Preflight.tsx';
import { useRun } from '../../commands/use-run.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import styles from './dialogs.module.css';
import { Reason } from './Reason.tsx';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const templates = ['Host is clean', 'Reimaged', 'False positive', 'Isolated by mistake'] as const;

/** Asks why and sends one request. A release may spend the reserve of the budget. */
export function ReleaseDialog({ detail, isOpen, onClose }: DialogProps) {
  const { row } = detail;
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
  return (
    <ChangeDialog
      detail={detail}
      verb="Release"
      isOpen={isOpen}
      runner={runner}
      waits={preflight.refusal}
      onClose={close}
      onSend={() => void send()}
    >
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
    </ChangeDialog>
  );
}
