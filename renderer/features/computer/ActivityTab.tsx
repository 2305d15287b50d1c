import { useState } from 'react';

import type { ComputerRow } from '#shared/model/computer.ts';
import { activityItemSchema, type ActivityItem } from '#shared/model/trajectory.ts';

import { RunProgressLine } from '../../commands/RunProgressLine.tsx';
import { useRun, type Runner } from '../../commands/use-run.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './ComputerScreen.module.css';

/** Which computers have seen an address, a hash, a file name or a URL, and whether this one is among them. */
export function ActivityTab({ row }: { readonly row: ComputerRow }) {
  const runner = useRun();
  const [q, setQ] = useState('');
  const [asked, setAsked] = useState('');
  const search = () => {
    const text = q.trim();
    if (text === '' || runner.state.kind === 'running') return;
    setAsked(text);
    void runner.run({ name: 'svc_get_computer_activity', args: { q: text } });
  };
  return (
    <div className={styles['tab']}>
      <form
        className={styles['search']}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <TextField
          label="Who has seen it?"
          type="search"
          value={q}
          onChange={setQ}
          mono
          placeholder="IPv4 address, SHA-256, file name or URL"
          description="Asks the service: 1 call. It searches its newest 5,000 records."
          className={styles['grow']}
        />
        <Button
          type="submit"
          reason={
            q.trim() === ''
              ? 'Type what to look for.'
              : runner.state.kind === 'running'
                ? 'The service is being asked.'
                : null
          }
        >
          Search
        </Button>
      </form>
      <Answer runner={runner} row={row} asked={asked} onRetry={search} />
    </div>
  );
}

function Answer({
  runner,
  row,
  asked,
  onRetry,
}: {
  readonly runner: Runner;
  readonly row: ComputerRow;
  readonly asked: string;
  readonly onRetry: () => void;
}) {
  const { state } = runner;
  if (state.kind === 'idle') return null;
  if (state.kind === 'running') return <RunProgressLine run={state.run} since={state.since} onStop={runner.stop} />;
  if (state.kind === 'failed')
    return <ErrorState error={state.error} title="The activity could not be read" onRetry={onRetry} />;
  const items = itemsOf(state.result.data);
  if (items.length === 0)
    return (
      <EmptyState title="No computer has seen it">
        None of the newest records of the service holds “{asked}”.
      </EmptyState>
    );
  const here = items.some((item) => item.connector_guid === row.guid);
  return (
    <>
      <Banner tone={here ? 'warning' : 'info'}>
        {row.hostname} {here ? 'has seen it' : 'is not among them'}: {items.length} of{' '}
        {state.result.total ?? items.length} computers that have seen “{asked}”.
      </Banner>
      <ul className={styles['found']} aria-label={`Computers that have seen ${asked}`}>
        {items.map((item) => (
          <li key={item.connector_guid}>
            <Link href={`/computers/${item.connector_guid}`}>{item.hostname ?? item.connector_guid}</Link>
            {item.connector_guid === row.guid ? <Tag tone="accent">this computer</Tag> : null}
            {item.active === false ? <Tag>inactive</Tag> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function itemsOf(data: unknown): readonly ActivityItem[] {
  return Array.isArray(data) ? data.flatMap((item) => activityItemSchema.safeParse(item).data ?? []) : [];
}
