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
import { t } from './text.ts';
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
      title={files.length === 1 ? t.hashAFile : t.hashFiles(formatCount(files.length))}
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
            {t.cancel}
          </Button>
          {isRunning ? <Button onPress={cancel}>{t.stopHashing}</Button> : null}
          <Button
            tone="primary"
            onPress={staging.run}
            reason={isRunning ? t.filesBeing : hashed.length === 0 ? t.noFileHashed : null}
          >
            {t.stageTo(counted(hashed.length, nouns.hash), operation)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['dim']} role="status">
          {isRunning ? t.hashing(speed === null ? '' : t.aSecond(formatBytes(speed))) : t.hashingHasEnded}{' '}
          {t.filesStayComputer}
        </p>
        {note === null ? null : <Banner tone="warning">{note}</Banner>}
        <ul className={styles['files']} aria-label={t.filesTitle}>
          {files.map((file, index) => (
            <FileLine key={`${file.name} ${file.size} ${file.lastModified}`} file={file} progress={progress[index]} />
          ))}
        </ul>
        <RadioGroup
          label={t.whatDoThem}
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
        <progress aria-label={t.hashingOf(file.name)} value={bytes} max={Math.max(1, file.size)} />
      ) : null}
    </li>
  );
}
