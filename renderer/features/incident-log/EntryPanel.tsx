import type { LogEntry, Pin } from '#shared/model/incident.ts';

import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { CodeView } from '../../ui/CodeView.tsx';
import { Link } from '../../ui/Link.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { kindWords } from './entry-words.ts';
import styles from './IncidentLogScreen.module.css';
import { lineBehind } from './replay.ts';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';

interface EntryPanelProps {
  readonly entry: LogEntry;
  readonly all: readonly LogEntry[];
  readonly pin: Pin | null;
  /** That the clock was set back before it. */
  readonly setBack: string | null;
  readonly onClose: () => void;
  readonly onNote: () => void;
  readonly onPin: () => void;
  readonly onOnly: (condition: Partial<IncidentLogSearch>) => void;
  /** Puts a line into the command line; it runs nothing. */
  readonly onAgain: (line: string) => void;
}

/** One entry with all that it holds, and what else is about the same thing. */
export function EntryPanel({ entry, all, pin, setBack, onClose, onNote, onPin, onOnly, onAgain }: EntryPanelProps) {
  const { word, tone, shape } = kindWords[entry.kind];
  const line = lineBehind(entry, all);
  return (
    <SidePanel label={t.entryCursor} onClose={onClose}>
      <div className={styles['panelHead']}>
        <Tag tone={tone}>
          <span aria-hidden="true">{shape}</span> {word}
        </Tag>
        <Time at={entry.at} form="exact" />
      </div>
      <p className={styles['message']}>{entry.message}</p>
      {setBack === null ? null : <p className={styles['clock']}>↶ {setBack}.</p>}
      {pin === null ? null : <Evidence pin={pin} />}
      <EntryDetails entry={entry} onOnly={onOnly} />
      {entry.args === null || Object.keys(entry.args).length === 0 ? null : (
        <Card title={t.arguments}>
          <CodeView value={entry.args} label={t.argumentsAsJson} />
        </Card>
      )}
      {line === null ? null : (
        <Card title={t.asCommandLine} aside={<CopyButton text={`!${line}`} what="line" />}>
          <code className={styles['replay']}>!{line}</code>
          <div className={styles['acts']}>
            <Button size="small" onPress={() => onAgain(line)}>
              {t.copyCommand}
            </Button>
          </div>
        </Card>
      )}
      {entry.data === null ? null : (
        <Card title={t.data}>
          <CodeView value={entry.data} label={t.dataAsJson} />
        </Card>
      )}
      <Related entry={entry} all={all} />
      <div className={styles['acts']}>
        <Button onPress={onNote} aria-haspopup="dialog">
          {t.noteAboutThis}
        </Button>
        {isAboutEvidence(entry) ? null : (
          <Button onPress={onPin} aria-haspopup="dialog">
            {pin === null ? t.pinAsEvidence : t.unpin}
          </Button>
        )}
      </div>
    </SidePanel>
  );
}

/** A pin is not pinned itself; one that holds what was done elsewhere is evidence by itself. */
export function isAboutEvidence({ kind, about }: LogEntry): boolean {
  return kind === 'evidence.unpinned' || (kind === 'evidence.pinned' && about !== null);
}

function Evidence({ pin }: { readonly pin: Pin }) {
  return (
    <p className={styles['evidence']}>
      <span className={styles['pin']} aria-hidden="true">
        ◆
      </span>{' '}
      {t.evidencePinned} <Time at={pin.at} form="exact" /> {t.byOf(pin.by, pin.reason === '' ? '.' : `: ${pin.reason}`)}
    </p>
  );
}

function Related({ entry, all }: { readonly entry: LogEntry; readonly all: readonly LogEntry[] }) {
  const root = entry.about ?? entry.id;
  const related = all.filter(
    (other) => other.id !== entry.id && (other.id === root || other.about === root || other.about === entry.id),
  );
  if (related.length === 0) return null;
  return (
    <Card title={t.relatedEntries}>
      <ul className={styles['related']}>
        {related.map((other) => (
          <li key={other.id}>
            <Time at={other.at} form="clock" />{' '}
            <Link href={`/log?entry=${other.id}`}>{kindWords[other.kind].word}</Link>: {other.message}
          </li>
        ))}
      </ul>
    </Card>
  );
}
