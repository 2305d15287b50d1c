import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { managedSentence } from '#shared/model/managed.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useConnections, useManaged } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveText } from '../../ui/save.ts';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Part } from './Part.tsx';
import { SealDialog } from './SealDialog.tsx';
import styles from './Settings.module.css';

export function ConnectionFilesPart() {
  const { client } = useApi();
  const navigate = useNavigate();
  const own = useConnections()?.filter(({ sandbox }) => !sandbox).length ?? 0;
  const { keysStay } = useManaged().connections;
  const [isSealing, setSealing] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.local.exportConnections(),
    onSuccess: saveText,
  });
  return (
    <Part
      title="Connections"
      about="The export contains names, addresses, client IDs and appearance. Keys are included only in an export encrypted with a passphrase. Imported connections start read-only."
    >
      <div className={styles['line']}>
        <Button onPress={() => void navigate({ to: '/connections', search: {} })}>Show the connections</Button>
        <Button
          onPress={() => mutate()}
          reason={own === 0 ? 'There is no connection of your own yet.' : isPending ? 'Saving…' : null}
        >
          Export connections
        </Button>
        <Button
          onPress={() => setSealing(true)}
          lock={keysStay ? `${managedSentence}.` : null}
          reason={own === 0 ? 'There is no connection of your own yet.' : null}
          aria-haspopup="dialog"
        >
          Export with keys…
        </Button>
        <Button onPress={() => void navigate({ to: '/connections', search: { import: true } })} aria-haspopup="dialog">
          Import connections…
        </Button>
      </div>
      {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      {isSealing ? <SealDialog onClose={() => setSealing(false)} /> : null}
    </Part>
  );
}

/** The rules themselves belong to a connection. */
export function GuardsPart() {
  return (
    <Part
      title="Guard rules"
      about="Limits, protected computers and confirmations are rules of a connection, below every surface: window, command line and jobs."
    >
      <p>
        See <Link href="/connections">the connections</Link>. The key of a read-only connection is refused writing
        before anything is sent.
      </p>
    </Part>
  );
}

export function NetworkPart() {
  const { data } = useQuery(useApi().queries.local.network.queryOptions());
  return (
    <Part
      title="Network"
      about="Taken from the environment of this computer (HTTPS_PROXY, NO_PROXY) and from its store of authorities, where a connection has none of its own: see Network in its form."
    >
      {data === undefined ? (
        <SkeletonLines lines={2} label="Asking the host" />
      ) : (
        <KeyValue
          facts={[
            { name: 'Proxy', value: data.problem ?? data.proxy ?? 'none' },
            ...(data.exceptions === null ? [] : [{ name: 'Bypass proxy for', value: data.exceptions }]),
            { name: 'Authorities', value: 'those of Node and of the system' },
          ]}
        />
      )}
    </Part>
  );
}
