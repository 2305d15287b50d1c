import { useMutation } from '@tanstack/react-query';

import type { Connection } from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { t } from './text.ts';

/** Removing a connection deletes its key and its local copy; the incident log stays. */
export function RemoveDialog({
  connection,
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const { client } = useApi();
  const removing = useMutation({
    mutationFn: () => client.connections.remove({ id: connection.id }),
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={t.removeOf(connection.name)}
      size="small"
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            {t.cancel}
          </Button>
          <Button tone="danger" onPress={() => removing.mutate()} reason={removing.isPending ? t.removing : null}>
            {t.removeOf(connection.name)}
          </Button>
        </>
      }
    >
      <p>{t.apiKeyLocal}</p>
      {removing.error === null ? null : <Banner tone="bad">{asCordonError(removing.error).message}</Banner>}
    </Dialog>
  );
}
