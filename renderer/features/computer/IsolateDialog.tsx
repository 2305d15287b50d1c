import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import { unlockCodeSchema } from '#shared/model/isolation.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import styles from './dialogs.module.css';
import { OutcomeNote } from './Outcome.tsx';
import { PreflightNotes, usePreflight } from './Preflight.tsx';
import { Reason } from './Reason.tsx';
import { Target } from './Target.tsx';
import { useCommand } from './use-command.ts';

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
  const connection = useActiveConnection();
  const writeRefusal = useWriteRefusal();
  const announce = useAnnounce();
  const preflight = usePreflight(row.guid, 'isolate', isOpen);
  const run = useCommand('svc_put_computers_isolation');
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
    run.reset();
    onClose();
  };
  const send = async () => {
    setTried(true);
    if (reason.trim() === '' || (kind === 'own' && codeProblem(code) !== null)) return;
    const outcome = await run.start({
      connector_guid: row.guid,
      comment: reason.trim(),
      ...(kind === 'own' ? { unlock_code: code } : {}),
    });
    if (outcome.kind !== 'done') return;
    announce(outcome.result.message);
    close();
  };
  const locked =
    writeRefusal ?? preflight.refusal ?? (run.outcome.kind === 'running' ? 'The request is under way.' : null);
  return (
    <Dialog
      title={`Isolate ${row.hostname}`}
      isOpen={isOpen}
      onClose={close}
      tone="connection"
      footer={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button tone="connection" reason={locked} onPress={() => void send()}>
            Isolate {row.hostname} in {connection.name} {connection.environment.toUpperCase()}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Target detail={detail} />
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
        <OutcomeNote run={run} />
      </div>
    </Dialog>
  );
}

function codeProblem(code: string): string | null {
  const checked = unlockCodeSchema.safeParse(code);
  if (checked.success) return null;
  return code === '' ? 'Type the code.' : `The code ${checked.error.issues[0]?.message ?? 'cannot be used'}.`;
}
