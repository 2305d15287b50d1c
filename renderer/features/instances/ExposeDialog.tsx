import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';
import { exposeKey } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Address } from './Address.tsx';
import { SureDialog } from './SureDialog.tsx';
import { t } from './text.ts';
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
      title={exposed ? t.expose(name) : t.stopExposing(name)}
      verb={exposed ? t.expose(name) : t.stopExposing(name)}
      tone={exposed ? 'primary' : 'danger'}
      onClose={onClose}
      call={(confirmation) => client.instances.setExposed({ id, exposed, ...confirmation })}
    >
      <Address text={routeUrl(server, row)} what={t.addressRoute} />
      {exposed ? (
        <p>
          {t.answersAddress(
            server.settings.lan ? t.everyoneWho : t.onThisComputer,
            access.kind === 'none' ? t.withoutAccessControl : t.withAccessControl(accessWords[access.kind]),
          )}
        </p>
      ) : (
        <p>{t.addressAnswers}</p>
      )}
      <p>{t.serverParameter(exposeKey(name), String(exposed))}</p>
    </SureDialog>
  );
}
