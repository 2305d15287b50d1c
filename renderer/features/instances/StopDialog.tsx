import type { InstanceRow } from '#shared/contract/instances.ts';
import { forwardKeys } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { t } from './text.ts';
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
      title={t.stopForwarding}
      size="small"
      role="alertdialog"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            {t.keepItRunning}
          </Button>
          <Button tone="danger" onPress={stop} reason={guard.isPending ? t.stopping : null}>
            {t.stopTheServer}
          </Button>
        </>
      }
    >
      <p>
        {t.runningRequests(
          exposed.length === 0
            ? t.noInstance
            : t.noLongerReachable(
                exposed.length === 1 ? t.oneExposed : t.exposedInstancesAre(exposed.length),
                exposed.map(({ instance }) => instance.name).join(', '),
              ),
        )}
      </p>
      {guard.error === null ? null : <Banner tone="bad">{guard.error.message}</Banner>}
    </Dialog>
  );
}
