import { useEffect, useState } from 'react';

import type { Trajectory } from '#shared/contract/sight.ts';

import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Trajectory.module.css';

interface QueryBarProps {
  readonly query: string;
  readonly trajectory: Trajectory | null;
  readonly isReading: boolean;
  readonly onRead: (query: string) => void;
}

/** What to ask the service for, and what that costs. */
export function QueryBar({ query, trajectory, isReading, onRead }: QueryBarProps) {
  const [typed, setTyped] = useState(query);
  useEffect(() => setTyped(query), [query]);
  const text = typed.trim();
  return (
    <form
      className={styles['query']}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReading) onRead(text);
      }}
    >
      <TextField
        label="Ask the service for events with"
        hideLabel
        type="search"
        value={typed}
        onChange={setTyped}
        mono
        placeholder="Everything, or an IPv4 address, SHA-256, URL, or user:name"
        className={styles['grow']}
      />
      {trajectory === null && text === query && !isReading ? null : (
        <Button
          type="submit"
          reason={isReading ? 'The service is being asked.' : null}
          tooltip="Asks the service: 1 call"
        >
          {isReading ? 'Reading…' : trajectory !== null && text === query ? 'Read again · 1 call' : 'Read · 1 call'}
        </Button>
      )}
      <span className={styles['age']}>
        {trajectory === null ? null : (
          <>
            read <Time at={trajectory.readAt} focusable />
          </>
        )}
      </span>
    </form>
  );
}
