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
          Read <Time at={new Date(dataUpdatedAt).toISOString()} focusable />.{' '}
          <Button size="small" onPress={() => void refetch()} reason={isFetching ? 'Loading…' : null}>
            Refresh · 1 call
          </Button>
          {error === null ? null : ` Could not refresh the XML: ${asCordonError(error).message}`}
        </p>
        <XmlView text={data.text} />
      </div>
    );
  if (isFetching) return <SkeletonLines lines={8} label="Loading the XML" />;
  if (error === null)
    return (
      <EmptyState
        title="Not loaded yet"
        action={
          <Button onPress={() => ask(true)} autoFocus>
            Read the XML · 1 call
          </Button>
        }
      >
        The policy as XML holds its settings. It is not stored locally, and not every API key may read it.
      </EmptyState>
    );
  const failure = asCordonError(error);
  const isForbidden = failure.code === 'forbidden';
  return (
    <ErrorState
      error={failure}
      title={isForbidden ? 'This API key may not read the XML of policies' : 'Could not load the XML'}
      onRetry={() => void refetch()}
    />
  );
}
