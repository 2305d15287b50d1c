import { useState } from 'react';

import type { DraftRow } from '#shared/model/list-draft.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { levelTones, verdictWords } from './draft-words.ts';
import styles from './Editor.module.css';
import { useAct, type DraftChanges } from './use-draft.ts';

interface RowDialogProps {
  readonly keys: readonly string[];
  /** Where there is one only. */
  readonly row: DraftRow | undefined;
  readonly changes: DraftChanges;
  readonly onClose: () => void;
}

/** Note and reason of one row or of many; of one also everything that speaks for or against it. */
export function RowDialog({ keys, row, changes, onClose }: RowDialogProps) {
  const [note, setNote] = useState(row?.note ?? '');
  const [reason, setReason] = useState(row?.reason ?? '');
  const isOne = keys.length === 1;
  const saving = useAct(() => {
    const changed = {
      ...((isOne ? note.trim() !== row?.note : note.trim() !== '') && { note: note.trim() }),
      ...((isOne || reason.trim() !== '') && { reason: reason.trim() === '' ? null : reason.trim() }),
    };
    return changes.annotate(keys, changed);
  }, onClose);
  return (
    <Dialog
      title={isOne ? 'Staged row' : `${formatCount(keys.length)} staged rows`}
      isOpen
      onClose={onClose}
      size="large"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" onPress={saving.run} reason={saving.isRunning ? 'Saving…' : null}>
            Keep
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {row === undefined ? null : <RowFacts row={row} />}
        <TextField
          label="Note"
          value={note}
          onChange={setNote}
          maxLength={1000}
          autoFocus
          description={
            isOne
              ? 'It stands beside the hash in the service.'
              : 'It takes the place of their notes; left empty, they keep theirs.'
          }
        />
        <TextArea
          label="Reason"
          value={reason}
          onChange={setReason}
          rows={2}
          maxLength={500}
          description="Why a row that is marked red is wanted all the same. It goes into the incident log."
        />
        {saving.error === null ? null : <Banner tone="bad">{saving.error.message}</Banner>}
      </div>
    </Dialog>
  );
}

function RowFacts({ row: { key, marks, verdict, source, place, result } }: { readonly row: DraftRow }) {
  const { shape, word, tone } = verdictWords[verdict];
  return (
    <>
      <p>
        <Tag tone={tone}>
          <span aria-hidden="true">{shape}</span> {word}
        </Tag>{' '}
        <code className={styles['mono']}>{key}</code>
      </p>
      <p className={styles['dim']}>
        From {source}
        {place === null ? '' : `, ${place}`}
      </p>
      {marks.length === 0 && result === null ? null : (
        <ul className={styles['detail']} aria-label="Findings">
          {result === null ? null : <li>Last commit: {result}</li>}
          {marks.map(({ kind, level, message }) => (
            <li key={kind}>
              <Tag tone={levelTones[level]}>{level === 'plain' ? 'note' : verdictWords[level].word}</Tag> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface PrevalenceDialogProps {
  readonly keys: readonly string[];
  readonly changes: DraftChanges;
  readonly onClose: () => void;
}

/** Asks the service on how many computers each was seen: the price is told before. */
export function PrevalenceDialog({ keys, changes, onClose }: PrevalenceDialogProps) {
  const hashes = keys.filter((key) => /^[0-9a-f]{64}$/.test(key));
  const [stop] = useState(() => new AbortController());
  const asking = useAct(() => changes.prevalence(hashes, stop.signal), onClose);
  const close = () => {
    stop.abort();
    onClose();
  };
  const calls = `${counted(hashes.length, nouns.call)}`;
  return (
    <Dialog
      title="On how many computers were they seen?"
      isOpen
      onClose={close}
      size="small"
      footer={
        <>
          <Button onPress={close}>{asking.isRunning ? 'Stop asking' : 'Cancel'}</Button>
          <Button
            tone="primary"
            onPress={asking.run}
            reason={asking.isRunning ? 'Querying…' : hashes.length === 0 ? 'None of them is a SHA-256.' : null}
          >
            {`Ask · ${calls}`}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p>One call for each of {formatCount(hashes.length)} hashes. What was asked stays known to this draft.</p>
        {asking.isRunning ? <p role="status">Asking…</p> : null}
        {asking.error === null ? null : <Banner tone="bad">{asking.error.message}</Banner>}
      </div>
    </Dialog>
  );
}
