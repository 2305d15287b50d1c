import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';
import { exposeKey } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Address } from './Address.tsx';
import { SureDialog } from './SureDialog.tsx';
import { accessWords, routeUrl } from './words.ts';

interface ExposeDialogProps {
  readonly row: InstanceRow;
  readonly server: ForwarderStatus;
  readonly onClose: () => void;
}

/** What the key opens: the switch of the route, with what it leads to. */
export function ExposeDialog({ row, server, onClose }: ExposeDialogProps) {
  const { client } = useApi();
  const { instance, exposure } = row;
  const { id, name, access } = instance;
  const exposed = !exposure.exposed;
  return (
    <SureDialog
      title={exposed ? `Expose ${name}` : `Stop exposing ${name}`}
      verb={exposed ? `Expose ${name}` : `Stop exposing ${name}`}
      tone={exposed ? 'primary' : 'danger'}
      onClose={onClose}
      call={(confirmation) => client.instances.setExposed({ id, exposed, ...confirmation })}
    >
      <Address text={routeUrl(server, row)} what="address of the route" />
      {exposed ? (
        <p>
          It answers at this address{' '}
          {server.settings.lan ? 'to everyone who reaches this computer' : 'on this computer'},{' '}
          {access.kind === 'none' ? 'without access control' : `with access control (${accessWords[access.kind]})`}.
        </p>
      ) : (
        <p>The address answers 404, as if there were no such instance. Requests that run are not cut short.</p>
      )}
      <p>
        The server parameter {exposeKey(name)} becomes {String(exposed)}.
      </p>
    </SureDialog>
  );
}
