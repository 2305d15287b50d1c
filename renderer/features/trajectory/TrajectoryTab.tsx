import { useNavigate, useSearch } from '@tanstack/react-router';

import type { CordonError } from '#shared/contract/errors.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { Time } from '../../ui/Time.tsx';
import { asSentence } from '../../ui/words.ts';
import { Drawing } from './Drawing.tsx';
import { DrawingSkeleton } from './DrawingSkeleton.tsx';
import { QueryBar } from './QueryBar.tsx';
import styles from './Trajectory.module.css';
import { useReading, type Reading } from './use-reading.ts';

/** What one computer did, as swim lanes: files down the side, time across. */
export function TrajectoryTab({ row }: { readonly row: ComputerRow }) {
  const search = useSearch({ from: '/computers/$guid' });
  const navigate = useNavigate({ from: '/computers/$guid' });
  const query = search.q ?? '';
  const reading = useReading(row.guid, query);
  const read = (asked: string) => {
    if (asked !== query)
      void navigate({ search: (old) => ({ ...old, q: asked === '' ? undefined : asked }), replace: true });
    void reading.read(asked);
  };
  const hide = (hideClean: boolean) =>
    void navigate({ search: (old) => ({ ...old, hide: hideClean ? true : undefined }), replace: true });
  return (
    <div className={styles['tab']}>
      <QueryBar query={query} trajectory={reading.trajectory ?? null} isReading={reading.isReading} onRead={read} />
      <Body {...{ row, query, reading, read, hide }} hideClean={search.hide === true} />
    </div>
  );
}

interface BodyProps {
  readonly row: ComputerRow;
  readonly query: string;
  readonly reading: Reading;
  readonly read: (query: string) => void;
  readonly hideClean: boolean;
  readonly hide: (hide: boolean) => void;
}

function Body({ row, query, reading, read, hideClean, hide }: BodyProps) {
  const { trajectory, isReading, error } = reading;
  const again = () => read(query);
  if (trajectory === null || trajectory === undefined) {
    if (isReading) return <DrawingSkeleton label={`Reading the trajectory of ${row.hostname}`} />;
    if (error !== null) return <ErrorState error={error} title={titleOf(error)} onRetry={again} />;
    return trajectory === null ? (
      <NeverRead {...{ row, query, read }} />
    ) : (
      <DrawingSkeleton label="Looking for a drawing" />
    );
  }
  return (
    <>
      {error === null ? null : (
        <Banner
          tone={error.code === 'rate_limited' ? 'warning' : 'bad'}
          action={
            <Button size="small" onPress={again}>
              Try again
            </Button>
          }
        >
          {titleOf(error)}: {asSentence(error.message)} This is the drawing from <Time at={trajectory.readAt} />.
        </Banner>
      )}
      {trajectory.points.length === 0 ? (
        <Nothing {...{ row, query, read }} />
      ) : (
        <Drawing
          key={`${trajectory.guid} ${trajectory.query}`}
          {...{ trajectory, hideClean }}
          onHide={hide}
          onNarrow={read}
        />
      )}
    </>
  );
}

function titleOf({ code }: CordonError): string {
  if (code === 'not_found') return 'The service does not know this computer any more';
  if (code === 'rate_limited') return 'The trajectory has to wait for the request budget';
  return 'The trajectory could not be read';
}

interface QuestionProps {
  readonly row: ComputerRow;
  readonly query: string;
  readonly read: (query: string) => void;
}

function NeverRead({ row, query, read }: QuestionProps) {
  return (
    <EmptyState
      title="This trajectory was not read yet"
      action={
        <Button tone="primary" onPress={() => read(query)}>
          Read the trajectory · 1 call
        </Button>
      }
    >
      It shows what {row.hostname} created, executed, moved and connected to
      {query === '' ? '' : `, as far as it has to do with “${query}”`}, one lane for each file. The drawing is kept here
      for when the service is away.
    </EmptyState>
  );
}

function Nothing({ row, query, read }: QuestionProps) {
  if (query !== '')
    return (
      <EmptyState
        title="Nothing of it here"
        action={<Link onPress={() => read('')}>Read everything instead (1 call)</Link>}
      >
        No event of {row.hostname} that the service keeps has to do with “{query}”.
      </EmptyState>
    );
  return (
    <EmptyState title="The agent sent nothing">
      The service has no events of {row.hostname}: its agent is new, or was silent for longer than events are kept.
    </EmptyState>
  );
}
