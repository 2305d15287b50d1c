import { useEffect } from 'react';

import { directWay, type Connection } from '#shared/model/connection.ts';

import { useFrame } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { connectionTitle, modeWords } from '../../ui/connection-words.ts';
import { cx } from '../../ui/cx.ts';
import { Tag } from '../../ui/Tag.tsx';
import styles from './connections.module.css';
import { TestResults } from './TestResults.tsx';
import { t } from './text.ts';
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
        {isActive ? <Tag tone="accent">{t.inUse}</Tag> : null}
        <Tag>{frame === null ? (connection.readOnly ? t.readOnly : t.readWrite) : modeWords(frame.mode).word}</Tag>
        {connection.proxy === null ? null : <Tag>{connection.proxy === directWay ? t.noProxy : t.ownProxy}</Tag>}
        {connection.ca === null ? null : <Tag>{t.ownCAs}</Tag>}
        {connection.insecure ? <Tag tone="bad">{t.trustsAnyCertificate}</Tag> : null}
        {frame?.link.kind === 'failing' ? <Tag tone="bad">{t.failing}</Tag> : null}
      </div>
      <p className={styles['where']}>{t.client(connection.url, connection.clientId)}</p>
      {frame?.link.kind === 'failing' ? <p className={styles['fails']}>{frame.link.error.message}</p> : null}
      <div className={styles['cardActions']}>
        {isActive ? null : (
          <Button onPress={onUse} aria-label={t.takeOf(connection.name)}>
            {t.takeIt}
          </Button>
        )}
        <Button
          onPress={startTest}
          reason={test.isRunning ? t.testRunning : null}
          aria-label={t.test(connection.name)}
          tooltip={t.checksAddress}
        >
          {t.testTitle}
        </Button>
        <Button onPress={onEdit} lock={own} aria-label={t.change(connection.name)} aria-haspopup="dialog">
          {t.changeMore}
        </Button>
        <Button onPress={onGuards} aria-label={t.guardRulesOf(connection.name)} aria-haspopup="dialog">
          {t.guardRules}
        </Button>
        <Button onPress={onRemove} lock={own} aria-label={t.removeOf(connection.name)} aria-haspopup="dialog">
          {t.remove}
        </Button>
      </div>
      <TestResults test={test} />
    </li>
  );
}
