import { useMutation } from '@tanstack/react-query';

import type { Connection } from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

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
      title={`Remove ${connection.name}`}
      size="small"
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            Cancel
          </Button>
          <Button tone="danger" onPress={() => removing.mutate()} reason={removing.isPending ? 'Removing…' : null}>
            Remove {connection.name}
          </Button>
        </>
      }
    >
      <p>
        Its API key and local data are deleted from this computer. Nothing changes at the service, and the incident log
        stays. The service’s console never shows a key twice: to connect again you need to keep the key elsewhere or
        make a new one.
      </p>
      {removing.error === null ? null : <Banner tone="bad">{asCordonError(removing.error).message}</Banner>}
    </Dialog>
  );
}
