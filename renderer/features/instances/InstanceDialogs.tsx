import type { ForwarderStatus, InstanceDetail } from '#shared/contract/instances.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ExposeDialog } from './ExposeDialog.tsx';
import { InstanceDialog } from './InstanceDialog.tsx';
import { ProbeDialog } from './ProbeDialog.tsx';
import type { InstanceSearch } from './search.ts';
import { SureDialog } from './SureDialog.tsx';
import { t } from './text.ts';

interface InstanceDialogsProps {
  readonly detail: InstanceDetail;
  readonly server: ForwarderStatus;
  readonly act: InstanceSearch['act'];
  readonly onClose: () => void;
  /** The instance was removed. */
  readonly onGone: () => void;
}

/** What the buttons and keys of the screen open. */
export function InstanceDialogs(props: InstanceDialogsProps) {
  const { detail, server, act, onClose } = props;
  const { row } = detail;
  switch (act) {
    case 'edit':
      return <InstanceDialog stored={row.instance} server={server} onClose={onClose} onSaved={onClose} />;
    case 'expose':
      return <ExposeDialog row={row} server={server} onClose={onClose} />;
    case 'probe':
      return <ProbeDialog row={row} onClose={onClose} />;
    case 'port':
      return <PortDialog {...props} />;
    case 'restart':
      return <RestartDialog {...props} />;
    case 'publish':
      return <PublishDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
    case undefined:
      return null;
  }
}

function PortDialog({ detail, onClose }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name, openPort, listenPort, access } = detail.row.instance;
  return (
    <SureDialog
      title={openPort ? t.closePort(name) : t.openPort(name)}
      verb={openPort ? t.closePortOf(listenPort) : t.openPortOf(listenPort)}
      tone={openPort ? 'primary' : 'danger'}
      onClose={onClose}
      call={(confirmation) => client.instances.setOpenPort({ id, open: !openPort, ...confirmation })}
    >
      {openPort ? (
        <p>{t.listensLoopback}</p>
      ) : (
        <p>{t.listensEvery(listenPort, access.kind === 'none' ? '' : t.whatSetApplies)}</p>
      )}
    </SureDialog>
  );
}

function RestartDialog({ detail, onClose }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name } = detail.row.instance;
  return (
    <SureDialog
      title={t.restart(name)}
      verb={t.restart(name)}
      tone="primary"
      onClose={onClose}
      call={() => client.instances.restart({ id })}
    >
      <p>{t.cordonStops}</p>
    </SureDialog>
  );
}

function PublishDialog({ detail, onClose }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name } = detail.row.instance;
  const heldBack = detail.list?.heldBack ?? null;
  if (heldBack === null) return null;
  const now = detail.list?.entries ?? 0;
  return (
    <SureDialog
      title={t.publishList(name)}
      verb={t.publish(counted(heldBack.entries, nouns.value))}
      tone="danger"
      onClose={onClose}
      call={() => client.instances.publish({ id })}
    >
      <p>
        {t.publishedNow(
          counted(now, nouns.value),
          formOf(now, ['is', 'are']),
          formatCount(heldBack.entries),
          formatCount(heldBack.lost),
        )}
      </p>
    </SureDialog>
  );
}

function RemoveDialog({ detail, onClose, onGone }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name, program } = detail.row.instance;
  return (
    <SureDialog
      title={t.removeOf(name)}
      verb={t.removeOf(name)}
      tone="danger"
      onClose={onClose}
      onDone={onGone}
      call={() => client.instances.remove({ id })}
    >
      <p>{t.cordonDeletes(program.kind === 'external' ? t.serviceItself : t.serverStopped)}</p>
    </SureDialog>
  );
}
