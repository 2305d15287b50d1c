import { X } from 'lucide-react';

import type { LogEntry } from '#shared/model/incident.ts';

import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { CodeView } from '../../ui/CodeView.tsx';
import { KeyValue, type Fact } from '../../ui/KeyValue.tsx';
import { Link } from '../../ui/Link.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { kindWords, surfaceWords } from './entry-words.ts';
import styles from './IncidentLogScreen.module.css';
import { lineBehind } from './replay.ts';

interface EntryPanelProps {
  readonly entry: LogEntry;
  readonly all: readonly LogEntry[];
  readonly onClose: () => void;
  readonly onNote: () => void;
  /** Puts a line into the command line; it runs nothing. */
  readonly onAgain: (line: string) => void;
}

/** One entry with all that it holds, and what else is about the same thing. */
export function EntryPanel({ entry, all, onClose, onNote, onAgain }: EntryPanelProps) {
  const { word, tone, shape } = kindWords[entry.kind];
  const line = lineBehind(entry, all);
  const root = entry.about ?? entry.id;
  const related = all.filter(
    (other) => other.id !== entry.id && (other.id === root || other.about === root || other.about === entry.id),
  );
  return (
    <aside className={styles['panel']} aria-label="Entry at the cursor">
      <div className={styles['panelHead']}>
        <Tag tone={tone}>
          <span aria-hidden="true">{shape}</span> {word}
        </Tag>
        <Time at={entry.at} form="exact" />
        <IconButton label="Close the panel" size="small" onPress={onClose}>
          <X size={14} />
        </IconButton>
      </div>
      <p className={styles['message']}>{entry.message}</p>
      <Card title="Details">
        <KeyValue facts={factsOf(entry)} />
      </Card>
      {entry.args === null || Object.keys(entry.args).length === 0 ? null : (
        <Card title="Arguments">
          <CodeView value={entry.args} label="arguments as JSON" />
        </Card>
      )}
      {line === null ? null : (
        <Card title="As a line" aside={<CopyButton text={`!${line}`} what="line" />}>
          <code className={styles['replay']}>!{line}</code>
          <div className={styles['acts']}>
            <Button size="small" onPress={() => onAgain(line)}>
              Into the command line
            </Button>
          </div>
        </Card>
      )}
      {entry.data === null ? null : (
        <Card title="Data">
          <CodeView value={entry.data} label="data as JSON" />
        </Card>
      )}
      {related.length === 0 ? null : (
        <Card title="Belongs together">
          <ul className={styles['related']}>
            {related.map((other) => (
              <li key={other.id}>
                <Time at={other.at} form="clock" /> {kindWords[other.kind].word}: {other.message}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <div>
        <Button onPress={onNote} aria-haspopup="dialog">
          Note about this…
        </Button>
      </div>
    </aside>
  );
}

function factsOf(entry: LogEntry): readonly Fact[] {
  const facts: (Fact | null)[] = [
    entry.target === null
      ? null
      : {
          name: 'Target',
          value:
            entry.command?.includes('computer') === true ? (
              <Link href={`/computers/${entry.target.guid}`}>{entry.target.label}</Link>
            ) : (
              entry.target.label
            ),
        },
    entry.target === null ? null : { name: 'GUID', value: entry.target.guid, mono: true },
    entry.command === null ? null : { name: 'Command', value: entry.command, mono: true },
    entry.connection === null
      ? null
      : { name: 'Connection', value: `${entry.connection.name} (${entry.connection.url})` },
    { name: 'By', value: entry.operator },
    { name: 'From', value: surfaceWords[entry.surface] },
    entry.status === null ? null : { name: 'HTTP status', value: entry.status },
    entry.requestId === null ? null : { name: 'Request', value: entry.requestId, mono: true },
    entry.durationMs === null ? null : { name: 'Took', value: `${Math.round(entry.durationMs)} ms` },
    { name: 'Entry', value: `${entry.seq} · ${entry.id}`, mono: true },
  ];
  return facts.filter((fact) => fact !== null);
}
