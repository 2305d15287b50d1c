import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import { unlockCodeSchema } from '#shared/model/isolation.ts';

import { PreflightNotes, usePreflight } from '../../commands/Preflight.tsx';
import { useRun } from '../../commands/use-run.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { TextField } from '../../ui/Field.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import styles from './dialogs.module.css';
import { Reason } from './Reason.tsx';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const templates = [
  'Beaconing to a known bad address',
  'Malware found, quarantine failed',
  'Suspected account takeover',
  'Ransomware behaviour',
] as const;

/** Asks for a reason and a code, says what is about to happen and where, and sends one request. */
export function IsolateDialog({ detail, isOpen, onClose }: DialogProps) {
  const { row } = detail;
  const announce = useAnnounce();
  const preflight = usePreflight(row.guid, 'isolate', isOpen);
  const runner = useRun();
  const [reason, setReason] = useState('');
  const [kind, setKind] = useState<'service' | 'own'>('service');
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const reasonError =
    tried && reason.trim() === '' ? 'Say why: it goes into the log and into the service’s own record.' : null;
  const codeError = kind === 'own' && (tried || code !== '') ? codeProblem(code) : null;

  const close = () => {
    setReason('');
    setCode('');
    setKind('service');
    setTried(false);
    runner.reset();
    onClose();
  };
  const send = async () => {
    setTried(true);
    if (reason.trim() === '' || (kind === 'own' && codeProblem(code) !== null)) return;
    const args = {
      connector_guid: row.guid,
      comment: reason.trim(),
      ...(kind === 'own' ? { unlock_code: code } : {}),
    };
    const result = await runner.run({ name: 'svc_put_computers_isolation', args });
    if (result === null) return;
    announce(result.message);
    close();
  };
  return (
    <ChangeDialog
      detail={detail}
      verb="Isolate"
      isOpen={isOpen}
      runner={runner}
      waits={preflight.refusal}
      onClose={close}
      onSend={() => void send()}
    >
      <p className={styles['effect']}>
        All its network traffic is cut but that to the service itself. The user notices. It does not end by itself:
        somebody has to release it.
      </p>
      <PreflightNotes view={preflight} />
      <Reason
        value={reason}
        onChange={setReason}
        templates={templates}
        error={reasonError}
        description="Kept in the incident log and sent to the service as the comment."
      />
      <RadioGroup
        label="Unlock code, for release at the computer itself"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'service', label: 'Made by the service' },
          { value: 'own', label: 'My own' },
        ]}
        orientation="horizontal"
      />
      {kind === 'own' ? (
        <TextField
          label="Code"
          type="password"
          value={code}
          onChange={setCode}
          mono
          isRequired
          autoComplete="off"
          error={codeError}
          description="At most 24 characters, no spaces. It is never shown or logged."
        />
      ) : null}
    </ChangeDialog>
  );
}

function codeProblem(code: string): string | null {
  const checked = unlockCodeSchema.safeParse(code);
  if (checked.success) return null;
  return code === '' ? 'Type the code.' : `The code ${checked.error.issues[0]?.message ?? 'cannot be used'}.`;
}
