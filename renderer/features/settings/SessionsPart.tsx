import { useMutation, useQuery } from '@tanstack/react-query';

import { showUnseen } from '#shared/text/foreign.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';

/** Who is in a console without a window of its own. */
export function SessionsPart() {
  const { client, queries } = useApi();
  const { data, error, refetch } = useQuery(queries.local.sessions.queryOptions());
  const end = useMutation({
    mutationFn: (id: string) => client.local.endSession({ id }),
    onSettled: () => void refetch(),
  });
  const failed = error ?? end.error;
  return (
    <Part title={t.signedInBrowsers} about={t.eachSigned}>
      {failed === null ? null : <ErrorState error={asCordonError(failed)} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <SkeletonLines lines={2} label={t.queryingTheHost} /> : null}
      {data === null ? <p className={styles['hint']}>{t.desktopWindow}</p> : null}
      {data === undefined || data === null ? null : (
        <PlainTable>
          <thead>
            <tr>
              <th scope="col">{t.browser}</th>
              <th scope="col">{t.signedIn}</th>
              <th scope="col">{t.end}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, agent, openedAt }) => (
              <tr key={id}>
                <td>
                  <bdi>{agent === '' ? t.programWithout : showUnseen(agent)}</bdi>
                </td>
                <td>
                  <Time at={openedAt} form="exact" />
                </td>
                <td>
                  <Button isDisabled={end.isPending} onPress={() => end.mutate(id)}>
                    {t.endSession}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </Part>
  );
}
