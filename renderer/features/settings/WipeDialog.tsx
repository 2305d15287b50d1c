import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { copyKinds, copyTitles, type CopyKind, type LocalData, type StoredCopy } from '#shared/contract/local.ts';
import { formatBytes } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';
import { rereadPrice } from './words.ts';

interface WipeDialogProps {
  readonly connection: LocalData['connections'][number];
  readonly onClose: () => void;
}

/** Deletes local copies after the connection's name was typed. The host asks for it, too. */
export function WipeDialog({ connection, onClose }: WipeDialogProps) {
  const { client, queries, cache } = useApi();
  const [kinds, setKinds] = useState<readonly CopyKind[]>([]);
  const [typed, setTyped] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.local.wipe({ connection: connection.id, kinds: [...kinds], confirm: typed.trim() }),
    onSuccess: (data) => {
      cache.setQueryData(queries.local.data.queryKey(), data);
      onClose();
    },
  });
  const reason = isPending
    ? 'Deleting…'
    : kinds.length === 0
      ? 'Choose what is to be deleted.'
      : typed.trim() === connection.name
        ? null
        : `Type ${connection.name} first.`;
  const copyOf = (kind: CopyKind): StoredCopy =>
    connection.copies.find((copy) => copy.kind === kind) ?? { kind, bytes: 0, records: null };
  return (
    <Dialog
      title={t.deleteLocal(connection.name)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            {t.cancel}
          </Button>
          <Button tone="danger" reason={reason} onPress={() => mutate()}>
            {t.deleteThem}
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>{t.nothingChanges}</p>
        {copyKinds.map((kind) => (
          <Checkbox
            key={kind}
            isSelected={kinds.includes(kind)}
            onChange={(on) => setKinds(copyKinds.filter((each) => (each === kind ? on : kinds.includes(each))))}
          >
            <CopyWords copy={copyOf(kind)} />
          </Checkbox>
        ))}
        <TextField label={t.typeToConfirm(connection.name)} value={typed} onChange={setTyped} mono autoComplete="off" />
        {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      </div>
    </Dialog>
  );
}

/** What goes, and what it costs to have it again. */
function CopyWords({ copy }: { readonly copy: StoredCopy }) {
  return (
    <>
      {copyTitles[copy.kind]} ({formatBytes(copy.bytes)}) <span className={styles['hint']}>{rereadPrice(copy)}</span>
    </>
  );
}
