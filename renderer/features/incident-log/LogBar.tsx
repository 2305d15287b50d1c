import { useRef, useState } from 'react';

import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Chip } from '../../ui/Tag.tsx';
import { formatCount } from '../../ui/time.ts';
import { Checkbox } from '../../ui/Toggle.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { Conditions } from './Conditions.tsx';
import styles from './IncidentLogScreen.module.css';
import { IncidentPicker } from './IncidentPicker.tsx';
import type { IncidentLogSearch } from './search.ts';

interface LogBarProps {
  readonly search: IncidentLogSearch;
  readonly matching: number | undefined;
  readonly onChange: (next: Partial<IncidentLogSearch>) => void;
  readonly onNote: () => void;
  readonly onExport: () => void;
  readonly onVerify: () => void;
}

/** Heading, search, and the conditions that the rows answer to. */
export function LogBar({ search, matching, onChange, onNote, onExport, onVerify }: LogBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search.text ?? '');
  const known = useRef(search.text);
  if (known.current !== search.text) {
    // The address changed by itself: a link, or *back*.
    known.current = search.text;
    if ((search.text ?? '') !== text) setText(search.text ?? '');
  }
  useKey('log.filter', () => box.current?.focus());
  const type = (next: string) => {
    setText(next);
    known.current = next === '' ? undefined : next;
    onChange({ text: known.current });
  };
  return (
    <>
      <ScreenBar
        title="Incident log"
        facts={
          matching === undefined ? undefined : (
            <span>
              {formatCount(matching)} {matching === 1 ? 'entry' : 'entries'}
            </span>
          )
        }
      >
        <Button onPress={onNote} aria-haspopup="dialog">
          Add note…
        </Button>
        <Button onPress={onVerify} tooltip="Goes over the chain of hashes: whether anything was changed or removed">
          Verify
        </Button>
        <Button onPress={onExport} aria-haspopup="dialog">
          Export…
        </Button>
      </ScreenBar>
      <div className={styles['conditions']}>
        <TextField
          label="Search the log"
          hideLabel
          type="search"
          value={text}
          onChange={type}
          placeholder="Search messages, hosts, commands"
          inputRef={box}
          className={styles['grow']}
        />
        <IncidentPicker
          incident={search.incident ?? null}
          onChange={(incident) => onChange({ incident: incident ?? undefined })}
        />
        <Conditions search={search} onChange={onChange} />
        <Checkbox
          isSelected={search.writes === true}
          onChange={(writes) => onChange({ writes: writes ? true : undefined })}
        >
          Changes only
        </Checkbox>
        {search.target === undefined ? null : (
          <Chip
            name="target"
            onRemove={() => onChange({ target: undefined })}
            removeLabel="Remove the condition on the target"
          >
            {search.target}
          </Chip>
        )}
      </div>
    </>
  );
}
