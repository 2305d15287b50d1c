import type { InstanceRow } from '#shared/contract/instances.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Switch } from '../../ui/Toggle.tsx';
import styles from './controls.module.css';
import type { InstanceAct } from './search.ts';
import { useGuard } from './use-guard.ts';

/** Whether requests are let through to it at all. */
export function EnabledControl({ row }: { readonly row: InstanceRow }) {
  const { client } = useApi();
  const guard = useGuard();
  const { id, enabled, program } = row.instance;
  const runs = program.kind !== 'external';
  return (
    <div className={styles['control']}>
      <Switch
        isSelected={enabled}
        isDisabled={guard.isPending}
        onChange={(on) => guard.run(() => client.instances.setEnabled({ id, enabled: on }))}
      >
        Enabled
      </Switch>
      <p className={styles['why']}>
        {enabled
          ? runs
            ? 'Cordon keeps it running.'
            : 'Runs outside Cordon. Cordon only checks its health.'
          : 'The route answers 503, and Cordon does not run it.'}
      </p>
      {guard.error === null ? null : (
        <p className={styles['bad']} role="alert">
          {guard.error.message}
        </p>
      )}
    </div>
  );
}

/** Managed and built-in instances may listen on every interface; an external one is not ours to open. */
export function PortControl({ row, onAct }: { readonly row: InstanceRow; readonly onAct: (act: InstanceAct) => void }) {
  const { instance, direct } = row;
  if (instance.program.kind === 'external') {
    return (
      <p className={styles['why']}>
        Port {instance.listenPort} on {instance.host}. Cordon does not control its bind address.
      </p>
    );
  }
  return (
    <div className={styles['control']}>
      <Switch isSelected={instance.openPort} onChange={() => onAct('port')}>
        Open the port…
      </Switch>
      <p className={styles['why']}>
        {direct === null ? (
          `Port ${instance.listenPort} on loopback: reachable from this computer only.`
        ) : (
          <>
            Reachable past the route at {direct} <CopyButton text={direct} what="direct address" />
          </>
        )}
      </p>
    </div>
  );
}
