import { useEffect } from 'react';

import { directWay, type Connection } from '#shared/model/connection.ts';

import { useFrame } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { connectionTitle, modeWords } from '../../ui/connection-words.ts';
import { cx } from '../../ui/cx.ts';
import { Tag } from '../../ui/Tag.tsx';
import styles from './connections.module.css';
import { TestResults } from './TestResults.tsx';
import { useConnectionTest } from './use-test.ts';

interface ConnectionCardProps {
  readonly connection: Connection;
  readonly isActive: boolean;
  /** Where the key for a test finds what starts it, by id. */
  readonly starters: Map<string, () => void>;
  readonly onUse: () => void;
  readonly onEdit: () => void;
  readonly onGuards: () => void;
  readonly onRemove: () => void;
}

/** One connection: where it leads, in which mode, how it is doing, and what can be done with it. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { connection, isActive, starters, onUse, onEdit, onGuards, onRemove } = props;
  const frame = useFrame(connection.id);
  const test = useConnectionTest();
  const startTest = () => {
    if (!test.isRunning) test.start({ id: connection.id });
  };
  useEffect(() => {
    starters.set(connection.id, startTest);
    return () => void starters.delete(connection.id);
  });
  const own = connection.sandbox ? 'The sandbox of this window cannot be changed.' : null;
  return (
    <li
      className={cx(styles['card'], styles[connection.colour])}
      aria-label={connection.name}
      data-connection-id={connection.id}
    >
      <div className={styles['cardHead']}>
        <h2 className={styles['cardTitle']}>{connectionTitle(connection)}</h2>
        {isActive ? <Tag tone="accent">in use</Tag> : null}
        <Tag>{frame === null ? (connection.readOnly ? 'read-only' : 'read-write') : modeWords(frame.mode).word}</Tag>
        {connection.proxy === null ? null : <Tag>{connection.proxy === directWay ? 'no proxy' : 'own proxy'}</Tag>}
        {connection.ca === null ? null : <Tag>own authorities</Tag>}
        {connection.insecure ? <Tag tone="bad">trusts any certificate</Tag> : null}
        {frame?.link.kind === 'failing' ? <Tag tone="bad">failing</Tag> : null}
      </div>
      <p className={styles['where']}>
        {connection.url} · client {connection.clientId}
      </p>
      {frame?.link.kind === 'failing' ? <p className={styles['fails']}>{frame.link.error.message}</p> : null}
      <div className={styles['cardActions']}>
        {isActive ? null : (
          <Button onPress={onUse} aria-label={`Use ${connection.name}`}>
            Use
          </Button>
        )}
        <Button
          onPress={startTest}
          reason={test.isRunning ? 'The test is running.' : null}
          aria-label={`Test ${connection.name}`}
          tooltip="Checks every step, from the address to the API limit: 1 call"
        >
          Test
        </Button>
        <Button onPress={onEdit} lock={own} aria-label={`Change ${connection.name}`} aria-haspopup="dialog">
          Change…
        </Button>
        <Button onPress={onGuards} aria-label={`Guard rules of ${connection.name}`} aria-haspopup="dialog">
          Guard rules…
        </Button>
        <Button onPress={onRemove} lock={own} aria-label={`Remove ${connection.name}`} aria-haspopup="dialog">
          Remove…
        </Button>
      </div>
      <TestResults test={test} />
    </li>
  );
}
