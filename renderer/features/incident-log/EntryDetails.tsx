import type { LogEntry } from '#shared/model/incident.ts';

import { Button } from '../../ui/Button.tsx';
import { KeyValue, type Fact } from '../../ui/KeyValue.tsx';
import { Link } from '../../ui/Link.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { surfaceWords } from './entry-words.ts';
import styles from './IncidentLogScreen.module.css';
import { ObjectLink } from './ObjectLink.tsx';
import { hashesOf, jobOf } from './places.ts';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';

interface EntryDetailsProps {
  readonly entry: LogEntry;
  /** Leaves only what has this in common with the entry. */
  readonly onOnly: (condition: Partial<IncidentLogSearch>) => void;
}

/** Who, what, where and when, each with a way to its object and to what else is about it. */
export function EntryDetails({ entry, onOnly }: EntryDetailsProps) {
  const { target, operator } = entry;
  const [hash] = hashesOf(entry);
  return (
    <Card title={t.details}>
      <KeyValue facts={factsOf(entry)} />
      <div className={styles['acts']}>
        {target === null ? null : (
          <Button size="small" onPress={() => onOnly({ target: target.guid })}>
            {t.onlyThisObject}
          </Button>
        )}
        <Button size="small" onPress={() => onOnly({ person: operator })}>
          {t.onlyThisPerson}
        </Button>
        {hash === undefined ? null : (
          <Button size="small" onPress={() => onOnly({ hash })}>
            {t.onlyThisHash}
          </Button>
        )}
      </div>
    </Card>
  );
}

function factsOf(entry: LogEntry): readonly Fact[] {
  const { target, command, connection, status, requestId, durationMs } = entry;
  const facts: (Fact | null)[] = [
    target === null ? null : { name: 'Target', value: <ObjectLink target={target} kind={command ?? 'computer'} /> },
    target === null ? null : { name: 'GUID', value: target.guid, mono: true },
    hashFact(entry),
    jobFact(entry),
    command === null ? null : { name: 'Command', value: command, mono: true },
    connection === null ? null : { name: 'Connection', value: `${connection.name} (${connection.url})` },
    { name: 'By', value: entry.operator },
    { name: 'From', value: surfaceWords[entry.surface] },
    status === null ? null : { name: 'HTTP status', value: status },
    requestId === null ? null : { name: 'Request', value: requestId, mono: true },
    durationMs === null ? null : { name: 'Duration', value: `${Math.round(durationMs)} ms` },
    { name: 'Entry', value: `${entry.seq} · ${entry.id}`, mono: true },
  ];
  return facts.filter((fact) => fact !== null);
}

/** The first few: a job may name hundreds. */
function hashFact(entry: LogEntry): Fact | null {
  const hashes = hashesOf(entry).slice(0, 3);
  if (hashes.length === 0) return null;
  const links = hashes.map((hash) => (
    <div key={hash}>
      <Link href={`/file-lists/hash/${hash}`}>{hash}</Link>
    </div>
  ));
  return { name: 'Hash', value: links, mono: true };
}

function jobFact(entry: LogEntry): Fact | null {
  const job = jobOf(entry);
  return job === null ? null : { name: 'Job', value: <Link href={`/jobs/${job}`}>{job}</Link>, mono: true };
}
