import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './policies.module.css';
import { XmlView } from './XmlView.tsx';
import { t } from './text.ts';

/** The policy as the service gives it to connectors: read when asked for, as each reading is a call. */
export function XmlTab({ guid }: { readonly guid: string }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const [isAsked, ask] = useState(false);
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery({
    ...queries.directory.policies.xml.queryOptions({ input: { connection, guid } }),
    enabled: isAsked,
    staleTime: Infinity,
    retry: false,
  });
  if (data !== undefined)
    return (
      <div className={styles['part']}>
        <p className={styles['note']}>
          {t.loadedAt} <Time at={new Date(dataUpdatedAt).toISOString()} focusable />.{' '}
          <Button size="small" onPress={() => void refetch()} reason={isFetching ? t.loadingNow : null}>
            {t.refreshForOneCall}
          </Button>
          {error === null ? null : t.couldNotRefresh(asCordonError(error).message)}
        </p>
        <XmlView text={data.text} />
      </div>
    );
  if (isFetching) return <SkeletonLines lines={8} label={t.loadingTheXml} />;
  if (error === null)
    return (
      <EmptyState
        title={t.notLoadedYet2}
        action={
          <Button onPress={() => ask(true)} autoFocus>
            {t.loadXml1Call}
          </Button>
        }
      >
        {t.policyXmlHolds}
      </EmptyState>
    );
  const failure = asCordonError(error);
  const isForbidden = failure.code === 'forbidden';
  return (
    <ErrorState
      error={failure}
      title={isForbidden ? t.apiKeyNotRead : t.couldNotLoadXml}
      onRetry={() => void refetch()}
    />
  );
}
