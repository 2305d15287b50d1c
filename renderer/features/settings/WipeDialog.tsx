import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { copyKinds, copyTitles, type CopyKind, type LocalData } from '#shared/contract/local.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import styles from './Settings.module.css';
import { bytesInWords } from './words.ts';

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
    ? 'It is being deleted.'
    : kinds.length === 0
      ? 'Choose what is to be deleted.'
      : typed.trim() === connection.name
        ? null
        : `Type ${connection.name} first.`;
  return (
    <Dialog
      title={`Delete local copies of ${connection.name}`}
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            Cancel
          </Button>
          <Button tone="danger" reason={reason} onPress={() => mutate()}>
            Delete them
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>
          Nothing changes at the service, and the incident log stays whole. What is shown is read again while the
          connection is in use; events older than the service keeps them are gone for good.
        </p>
        {copyKinds.map((kind) => (
          <Checkbox
            key={kind}
            isSelected={kinds.includes(kind)}
            onChange={(on) => setKinds(copyKinds.filter((each) => (each === kind ? on : kinds.includes(each))))}
          >
            {copyTitles[kind]} ({bytesInWords(connection.copies.find((copy) => copy.kind === kind)?.bytes ?? 0)})
          </Checkbox>
        ))}
        <TextField
          label={`Type ${connection.name} to confirm`}
          value={typed}
          onChange={setTyped}
          mono
          autoComplete="off"
        />
        {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      </div>
    </Dialog>
  );
}
