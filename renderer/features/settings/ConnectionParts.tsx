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
import { t } from './text.ts';

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
    <Part title={t.connections} about={t.exportContains}>
      <div className={styles['line']}>
        <Button onPress={() => void navigate({ to: '/connections', search: {} })}>{t.showTheConnections}</Button>
        <Button onPress={() => mutate()} reason={own === 0 ? t.noConnection : isPending ? t.saving : null}>
          {t.exportConnections}
        </Button>
        <Button
          onPress={() => setSealing(true)}
          lock={keysStay ? `${managedSentence}.` : null}
          reason={own === 0 ? t.noConnection : null}
          aria-haspopup="dialog"
        >
          {t.exportWithKeys}
        </Button>
        <Button onPress={() => void navigate({ to: '/connections', search: { import: true } })} aria-haspopup="dialog">
          {t.importConnections}
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
    <Part title={t.guardRules} about={t.limitsProtected}>
      <p>
        {t.see} <Link href="/connections">{t.theConnections}</Link>
        {t.keyReadOnly}
      </p>
    </Part>
  );
}

export function NetworkPart() {
  const { data } = useQuery(useApi().queries.local.network.queryOptions());
  return (
    <Part title={t.network} about={t.takenEnvironment}>
      {data === undefined ? (
        <SkeletonLines lines={2} label={t.queryingTheHost} />
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
