import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Part } from './Part.tsx';
import { t } from './text.ts';

/** Where API keys, passwords of routes and unlock codes lie, and why not, where they cannot. */
export function SecretStorePart() {
  const { data, error, refetch } = useQuery(useApi().queries.app.info.queryOptions());
  return (
    <Part title={t.whereKeysKept} about={t.storesApiKeys}>
      {error === null ? null : <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <SkeletonLines lines={2} label={t.queryingTheHost} /> : null}
      {data === undefined ? null : (
        <KeyValue
          facts={[
            { name: 'Store', value: data.secretStore.kind },
            { name: 'Usable', value: data.secretStore.available ? 'yes' : 'no' },
            ...(data.secretStore.reason === null ? [] : [{ name: 'Why not', value: data.secretStore.reason }]),
          ]}
        />
      )}
    </Part>
  );
}
