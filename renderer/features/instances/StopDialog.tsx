import type { InstanceRow } from '#shared/contract/instances.ts';
import { forwardKeys } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useGuard } from './use-guard.ts';

/** Stopping the forwarding server takes every route away; instances go on running. */
export function StopDialog({ rows, onClose }: { readonly rows: readonly InstanceRow[]; readonly onClose: () => void }) {
  const { client } = useApi();
  const guard = useGuard();
  const exposed = rows.filter(({ exposure }) => exposure.exposed);
  const stop = () =>
    guard.run(
      (confirmation) => client.instances.parameters.set({ key: forwardKeys.enabled, value: 'false', ...confirmation }),
      onClose,
    );
  return (
    <Dialog
      title="Stop the forwarding server"
      size="small"
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            Keep it running
          </Button>
          <Button tone="danger" onPress={stop} reason={guard.isPending ? 'Stopping…' : null}>
            Stop the server
          </Button>
        </>
      }
    >
      <p>
        {exposed.length === 0
          ? 'No instance is exposed at the moment.'
          : `${exposed.length === 1 ? 'One exposed instance is' : `${exposed.length} exposed instances are`} no longer reachable at the route: ${exposed.map(({ instance }) => instance.name).join(', ')}.`}{' '}
        Requests that run get ten seconds to end. The instances themselves go on.
      </p>
      {guard.error === null ? null : <Banner tone="bad">{guard.error.message}</Banner>}
    </Dialog>
  );
}
