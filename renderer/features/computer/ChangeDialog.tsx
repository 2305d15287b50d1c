import type { ReactNode } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { buttonWords } from '../../commands/effect.ts';
import { RunNote } from '../../commands/RunNote.tsx';
import type { Runner } from '../../commands/use-run.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './dialogs.module.css';
import { Target } from './Target.tsx';

interface ChangeDialogProps {
  readonly detail: ComputerDetail;
  /** What the title and the button begin with, such as `Isolate`. */
  readonly verb: string;
  readonly isOpen: boolean;
  readonly runner: Runner;
  /** Why it cannot be sent at this moment; `null` when it can. */
  readonly waits: string | null;
  readonly onClose: () => void;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** What every change of one computer has: the target, a button that names it and the tenant, and what came of it. */
export function ChangeDialog({ detail, verb, isOpen, runner, waits, onClose, onSend, children }: ChangeDialogProps) {
  const connection = useActiveConnection();
  const writeRefusal = useWriteRefusal();
  const title = `${verb} ${detail.row.hostname}`;
  const reason = waits ?? (runner.state.kind === 'running' ? 'The request is under way.' : null);
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      tone="connection"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="connection" lock={writeRefusal} reason={reason} onPress={onSend}>
            {buttonWords(title, connection)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Target detail={detail} />
        {children}
        <RunNote runner={runner} />
      </div>
    </Dialog>
  );
}
