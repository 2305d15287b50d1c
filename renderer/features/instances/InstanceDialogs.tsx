import type { ForwarderStatus, InstanceDetail } from '#shared/contract/instances.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ExposeDialog } from './ExposeDialog.tsx';
import { InstanceDialog } from './InstanceDialog.tsx';
import { ProbeDialog } from './ProbeDialog.tsx';
import type { InstanceSearch } from './search.ts';
import { SureDialog } from './SureDialog.tsx';

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
      title={openPort ? `Close the port of ${name}` : `Open the port of ${name}`}
      verb={openPort ? `Close port ${listenPort}` : `Open port ${listenPort}`}
      tone={openPort ? 'primary' : 'danger'}
      onClose={onClose}
      call={(confirmation) => client.instances.setOpenPort({ id, open: !openPort, ...confirmation })}
    >
      {openPort ? (
        <p>It listens on loopback only. This computer and users of the route can reach it.</p>
      ) : (
        <p>
          It listens on every interface. Anyone who can reach this computer can use port {listenPort}, past the route.
          Nothing of the route protects it there: no TLS, no access control
          {access.kind === 'none' ? '' : ' (what is set applies to the route alone)'}, no limits. The incident log keeps
          that it was opened.
        </p>
      )}
    </SureDialog>
  );
}

function RestartDialog({ detail, onClose }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name } = detail.row.instance;
  return (
    <SureDialog
      title={`Restart ${name}`}
      verb={`Restart ${name}`}
      tone="primary"
      onClose={onClose}
      call={() => client.instances.restart({ id })}
    >
      <p>It is stopped and started again. Until it answers, the route says 503, and requests that run are cut short.</p>
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
      title={`Publish the list of ${name}`}
      verb={`Publish ${counted(heldBack.entries, nouns.value)}`}
      tone="danger"
      onClose={onClose}
      call={() => client.instances.publish({ id })}
    >
      <p>
        {counted(now, nouns.value)} {formOf(now, ['is', 'are'])} published now. The rebuild has{' '}
        {formatCount(heldBack.entries)}: {formatCount(heldBack.lost)} vanish, and what blocks or allows by them changes
        wherever the list is loaded.
      </p>
    </SureDialog>
  );
}

function RemoveDialog({ detail, onClose, onGone }: InstanceDialogsProps) {
  const { client } = useApi();
  const { id, name, program } = detail.row.instance;
  return (
    <SureDialog
      title={`Remove ${name}`}
      verb={`Remove ${name}`}
      tone="danger"
      onClose={onClose}
      onDone={onGone}
      call={() => client.instances.remove({ id })}
    >
      <p>
        Its settings, its stored secrets and its key in the server parameters are deleted, and its address answers 404.{' '}
        {program.kind === 'external' ? 'The service itself goes on.' : 'It is stopped.'} The incident log stays.
      </p>
    </SureDialog>
  );
}
