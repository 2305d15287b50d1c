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
    <Part
      title="Browsers that entered"
      about="Each entered once with the link or the code from the terminal, and stays in for 30 days. End a session that you do not know: its pages close at once."
    >
      {failed === null ? null : <ErrorState error={asCordonError(failed)} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <SkeletonLines lines={2} label="Asking the host" /> : null}
      {data === null ? <p className={styles['hint']}>The window of the desktop lets no browser in.</p> : null}
      {data === undefined || data === null ? null : (
        <PlainTable>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Entered</th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, agent, openedAt }) => (
              <tr key={id}>
                <td>
                  <bdi>{agent === '' ? 'A program without a name' : showUnseen(agent)}</bdi>
                </td>
                <td>
                  <Time at={openedAt} form="exact" />
                </td>
                <td>
                  <Button isDisabled={end.isPending} onPress={() => end.mutate(id)}>
                    End session
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
