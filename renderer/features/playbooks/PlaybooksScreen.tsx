import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import type { PlaybookRun, PlaybookRunState, PlaybookSummary } from '#shared/model/playbook.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag, type Tone } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { unseen } from '../../ui/unseen.ts';
import styles from './playbooks.module.css';
import { StartDialog } from './StartDialog.tsx';
import { t } from './text.ts';

const shownRuns = 50;
const everyMs = 2000;

export const runTones: Readonly<Record<PlaybookRunState, Tone>> = {
  running: 'accent',
  paused: 'hold',
  waiting: 'warn',
  interrupted: 'warn',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'plain',
};

/** Playbooks that can be started, and their last runs. */
export function PlaybooksScreen() {
  const { queries, client } = useApi();
  const navigate = useNavigate();
  const picker = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<PlaybookSummary | null>(null);
  const list = useQuery(queries.playbooks.list.queryOptions());
  const runs = useQuery({
    ...queries.playbooks.runs.queryOptions({ input: { offset: 0, limit: shownRuns } }),
    refetchInterval: everyMs,
  });
  const add = useMutation({
    mutationFn: async (file: File) => await client.playbooks.import({ text: await file.text() }),
    onSuccess: () => void list.refetch(),
  });
  if (list.error !== null && list.data === undefined)
    return (
      <ErrorState
        error={asCordonError(list.error)}
        title={t.couldNotLoadPlaybooks}
        onRetry={() => void list.refetch()}
      />
    );
  return (
    <Screen>
      <ScreenBar
        title={t.playbooks}
        facts={list.data === undefined ? undefined : <span>{formatCount(list.data.length)}</span>}
      >
        <Button onPress={() => picker.current?.click()}>{t.importPlaybook}</Button>
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          aria-label={t.importPlaybook}
          className={unseen}
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) add.mutate(file);
            event.target.value = '';
          }}
        />
      </ScreenBar>
      <div className={styles['scroll']}>
        {add.error === null ? null : <Banner tone="bad">{asCordonError(add.error).message}</Banner>}
        {list.data === undefined ? (
          <SkeletonLines lines={8} label={t.playbooks} />
        ) : (
          <Playbooks all={list.data} onStart={setChosen} />
        )}
        <h2>{t.newestFirst}</h2>
        {runs.data === undefined || runs.data.rows.length === 0 ? (
          <p className={styles['dim']}>{t.noPlaybookRuns}</p>
        ) : (
          <Runs rows={runs.data.rows} />
        )}
      </div>
      {chosen === null ? null : (
        <StartDialog
          playbook={chosen}
          onClose={() => setChosen(null)}
          onStarted={({ id }) => void navigate({ to: '/playbooks/$id', params: { id } })}
        />
      )}
    </Screen>
  );
}

function Playbooks({
  all,
  onStart,
}: {
  readonly all: readonly PlaybookSummary[];
  readonly onStart: (one: PlaybookSummary) => void;
}) {
  return (
    <PlainTable>
      <tbody>
        {all.map((one) => (
          <tr key={`${one.origin} ${one.id}`}>
            <th scope="row">{one.name}</th>
            <td>{one.description}</td>
            <td>{one.origin === 'library' ? null : <Tag>{one.origin}</Tag>}</td>
            <td>
              <Button
                size="small"
                onPress={() => onStart(one)}
                aria-haspopup="dialog"
                aria-label={t.startPlaybook(one.name)}
              >
                {t.startMore}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Runs({ rows }: { readonly rows: readonly PlaybookRun[] }) {
  return (
    <PlainTable>
      <tbody>
        {rows.map(({ id, title, state, startedAt, startedBy, because }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`/playbooks/${id}`}>{title}</Link>
            </th>
            <td>
              <Tag tone={runTones[state]}>{state}</Tag>
            </td>
            <td>
              <Time at={startedAt} />
            </td>
            <td>{startedBy}</td>
            <td className={styles['result']} title={because ?? ''}>
              {because}
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
