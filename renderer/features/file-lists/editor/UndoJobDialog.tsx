import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { UndoPreview } from '#shared/model/undo-list.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection, useWriteRefusal } from '../../../api/active.tsx';
import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { buttonWords } from '../../../commands/effect.ts';
import { useSettings } from '../../../api/hooks.ts';
import { useAnnounce } from '../../../ui/Announcer.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import styles from './Editor.module.css';
import { t } from './text.ts';
import { useAct } from './use-draft.ts';

/** Takes a whole commit back: the present state is read and every compensating call shown before anything is sent. */
export function UndoJobDialog({ job, onClose }: { readonly job: string; readonly onClose: () => void }) {
  const { client, queries } = useApi();
  const connection = useActiveConnection();
  const lock = useWriteRefusal();
  const announce = useAnnounce();
  const { activeIncident: incident } = useSettings();
  const [typed, setTyped] = useState('');
  const input = { connection: connection.id, id: `job:${job}` };
  // Each opening reads anew.
  const { data, error } = useQuery({ ...queries.undo.preview.queryOptions({ input }), gcTime: 0, staleTime: Infinity });
  const undoing = useAct(
    () => client.undo.apply({ ...input, confirm: typed.trim(), incident }),
    ({ message }) => {
      announce(message);
      onClose();
    },
  );
  const count = data?.calls.length ?? 0;
  return (
    <Dialog
      title={t.undoThisCommit}
      isOpen
      onClose={onClose}
      tone="connection"
      size="large"
      role="alertdialog"
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            {t.cancel}
          </Button>
          <Button
            tone="primary"
            lock={lock}
            reason={undoing.isRunning ? t.inProgress : waitsFor(data, typed)}
            onPress={undoing.run}
          >
            {buttonWords(`Undo ${counted(count, nouns.change)}`, connection)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
        {data === undefined && error === null ? <SkeletonLines lines={4} label={t.loadingCurrentState} /> : null}
        {data === undefined ? null : <Calls preview={data} />}
        {data?.confirm === null || data === undefined ? null : (
          <TextField
            label={t.confirm}
            value={typed}
            onChange={setTyped}
            isRequired
            mono
            description={t.typeToConfirmOf(data.confirm)}
          />
        )}
        {undoing.error === null ? null : <Banner tone="bad">{undoing.error.message}</Banner>}
      </div>
    </Dialog>
  );
}

function waitsFor(preview: UndoPreview | undefined, typed: string): string | null {
  if (preview === undefined) return 'Loading the current state…';
  if (preview.item.undoneAt !== null) return 'This change was already undone.';
  if (preview.item.impossible !== null) return preview.item.impossible;
  if (preview.calls.length === 0) return 'Someone has changed this since. Undo is unavailable.';
  return preview.confirm === null || typed.trim() === preview.confirm ? null : `Type ${preview.confirm} to confirm.`;
}

const shown = 200;

function Calls({ preview: { calls, drift, cost } }: { readonly preview: UndoPreview }) {
  return (
    <>
      <p>
        {t.compensatingCallsReadings(formatCount(calls.length), formOf(calls.length, nouns.call), formatCount(cost))}
      </p>
      <ul className={styles['detail']} aria-label={t.compensatingCalls}>
        {calls.slice(0, shown).map(({ id, command, effect }) => (
          <li key={id}>
            {effect} <code className={styles['mono']}>{command}</code>
          </li>
        ))}
        {calls.length > shown ? <li>{t.andMoreOf(formatCount(calls.length - shown))}</li> : null}
      </ul>
      {drift.length === 0 ? null : (
        <Banner tone="warning">
          {t.changedSince(counted(drift.length, nouns.hash), formOf(drift.length, ['it', 'them']))}
        </Banner>
      )}
    </>
  );
}
