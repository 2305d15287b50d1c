import { useEffect, useRef, useState } from 'react';

import type { ListOperation } from '#shared/model/list-draft.ts';
import { counted, formatBytes, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useAnnounce } from '../../../ui/Announcer.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { RadioGroup } from '../../../ui/Toggle.tsx';
import styles from './Editor.module.css';
import { useHashing, type FileProgress } from './use-hashing.ts';
import { useAct, type DraftChanges } from './use-draft.ts';

interface FilesDialogProps {
  readonly files: readonly File[];
  /** What was dropped and is not among them. */
  readonly note: string | null;
  readonly changes: DraftChanges;
  readonly onClose: () => void;
}

/** Hashes files on this computer; nothing of them is sent anywhere. What is hashed can be staged, also before the rest. */
export function FilesDialog({ files, note, changes, onClose }: FilesDialogProps) {
  const announce = useAnnounce();
  const { progress, isRunning, speed, cancel } = useHashing(files);
  const [operation, setOperation] = useState<ListOperation>('add');
  const hashed = progress.flatMap(({ sha256 }, index) => (sha256 === null ? [] : [{ sha256, file: files[index] }]));
  const staging = useAct(
    () =>
      changes.stage(operation, {
        name: files.length === 1 ? (files[0]?.name ?? 'file').slice(0, 300) : `${files.length} files`,
        text: hashed.map(({ sha256, file }) => `${sha256} ${oneLine(file?.name ?? '')}`).join('\n'),
      }),
    ({ added }) => {
      announce(`${formatCount(added)} staged`);
      onClose();
    },
  );
  useEnd(isRunning, () => announce(`${formatCount(hashed.length)} of ${formatCount(files.length)} files hashed`));
  return (
    <Dialog
      title={files.length === 1 ? 'Hash a file' : `Hash ${formatCount(files.length)} files`}
      isOpen
      onClose={() => {
        cancel();
        onClose();
      }}
      size="large"
      footer={
        <>
          <Button
            onPress={() => {
              cancel();
              onClose();
            }}
          >
            Cancel
          </Button>
          {isRunning ? <Button onPress={cancel}>Stop hashing</Button> : null}
          <Button
            tone="primary"
            onPress={staging.run}
            reason={isRunning ? 'The files are being hashed.' : hashed.length === 0 ? 'No file was hashed.' : null}
          >
            {`Stage ${counted(hashed.length, nouns.hash)} to ${operation}`}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['dim']} role="status">
          {isRunning ? `Hashing${speed === null ? '' : `, ${formatBytes(speed)} a second`}…` : 'Hashing has ended.'} The
          files stay on this computer: only their hashes are staged.
        </p>
        {note === null ? null : <Banner tone="warning">{note}</Banner>}
        <ul className={styles['files']} aria-label="Files">
          {files.map((file, index) => (
            <FileLine key={`${file.name} ${file.size} ${file.lastModified}`} file={file} progress={progress[index]} />
          ))}
        </ul>
        <RadioGroup
          label="What to do with them"
          value={operation}
          onChange={setOperation}
          orientation="horizontal"
          options={[
            { value: 'add', label: '+ Add to the list' },
            { value: 'remove', label: '− Remove from the list' },
          ]}
        />
        {staging.error === null ? null : <Banner tone="bad">{staging.error.message}</Banner>}
      </div>
    </Dialog>
  );
}

/** The hash stands first in its line, the rest is the note. */
function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').slice(0, 200);
}

function useEnd(isRunning: boolean, tell: () => void): void {
  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current && !isRunning) tell();
    was.current = isRunning;
  });
}

function FileLine({ file, progress }: { readonly file: File; readonly progress: FileProgress | undefined }) {
  const { bytes = 0, sha256 = null, failed = null } = progress ?? {};
  return (
    <li className={styles['file']}>
      <span className={styles['name']}>{file.name}</span>
      <span>{formatBytes(file.size)}</span>
      {sha256 !== null ? <code className={styles['mono']}>{sha256}</code> : null}
      {failed !== null ? <span className={styles['removed']}>▲ {failed}</span> : null}
      {sha256 === null && failed === null ? (
        <progress aria-label={`Hashing ${file.name}`} value={bytes} max={Math.max(1, file.size)} />
      ) : null}
    </li>
  );
}
