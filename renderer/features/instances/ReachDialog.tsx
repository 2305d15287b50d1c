import { useState } from 'react';

import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';
import { forwardKeys } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import { ConfirmField, confirmReason } from './GuardDialog.tsx';
import { t } from './text.ts';
import { useGuard } from './use-guard.ts';

interface ReachDialogProps {
  readonly server: ForwarderStatus;
  readonly rows: readonly InstanceRow[];
  readonly onClose: () => void;
}

/** Whether the server listens on loopback alone or on every interface of this computer. */
export function ReachDialog({ server, rows, onClose }: ReachDialogProps) {
  const { client } = useApi();
  const guard = useGuard();
  const [typed, setTyped] = useState('');
  const [reach, setReach] = useState<'loopback' | 'lan'>(server.settings.lan ? 'lan' : 'loopback');
  const isNew = (reach === 'lan') !== server.settings.lan;
  const save = () =>
    guard.run(
      (confirmation) =>
        client.instances.parameters.set({
          key: forwardKeys.lan,
          value: reach === 'lan' ? 'true' : 'false',
          ...confirmation,
        }),
      onClose,
    );
  const { asked } = guard;
  return (
    <Dialog
      title={t.whoReachForwarding}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            tone={asked === null ? 'primary' : 'danger'}
            onPress={() => (asked === null ? save() : guard.confirm(typed))}
            reason={asked === null ? reasonOf(isNew, guard.isPending) : confirmReason(asked, typed, guard)}
          >
            {reach === 'lan' ? t.listenNetwork : t.listenComputer}
          </Button>
        </>
      }
    >
      <RadioGroup
        label={t.serverListens}
        value={reach}
        onChange={(next) => {
          setReach(next);
          setTyped('');
          guard.clear();
        }}
        options={[
          {
            value: 'loopback',
            label: 'This computer alone',
            detail: 'Loopback: no other computer can open a connection to it.',
          },
          {
            value: 'lan',
            label: 'The network',
            detail: 'Every interface: anyone who can reach this computer can use the exposed instances.',
          },
        ]}
      />
      {reach === 'lan' ? <Open rows={rows} /> : null}
      {asked === null ? null : <ConfirmField asked={asked} typed={typed} onType={setTyped} autoFocus />}
      {guard.error === null ? null : <Banner tone="bad">{guard.error.message}</Banner>}
    </Dialog>
  );
}

function reasonOf(isNew: boolean, isPending: boolean): string | null {
  if (isPending) return 'Saving…';
  return isNew ? null : 'It listens there already.';
}

/** Exposed instances that nobody guards. */
function Open({ rows }: { readonly rows: readonly InstanceRow[] }) {
  const open = rows.filter(
    ({ exposure, instance }) => exposure.exposed && instance.access.kind === 'none' && instance.allow.length === 0,
  );
  if (open.length === 0) return null;
  return <Banner tone="warning">{t.exposedWithout(open.map(({ instance }) => instance.name).join(', '))}</Banner>;
}
