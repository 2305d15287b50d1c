import { useRef, useState } from 'react';

import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Chip } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
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
  readonly onHandover: () => void;
  readonly onVerify: () => void;
}

/** Heading, search, and the conditions that the rows answer to. */
export function LogBar({ search, matching, onChange, onNote, onExport, onHandover, onVerify }: LogBarProps) {
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
        facts={matching === undefined ? undefined : <span>{counted(matching, nouns.entry)}</span>}
      >
        <Button onPress={onNote} aria-haspopup="dialog">
          Add note…
        </Button>
        <Button onPress={onHandover} tooltip="What is open, what was kept as evidence, and the next steps">
          Shift handover
        </Button>
        <Button
          onPress={() => onChange({ pictures: search.pictures === true ? undefined : true })}
          tooltip="Which hosts, and how much each person changed"
        >
          {search.pictures === true ? 'Hide charts' : 'Charts'}
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
          placeholder="Search messages, hosts, hashes, commands"
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
        <Checkbox
          isSelected={search.pinned === true}
          onChange={(pinned) => onChange({ pinned: pinned ? true : undefined })}
        >
          Pinned only
        </Checkbox>
        <Chips search={search} onChange={onChange} />
        <ChosenTime search={search} onChange={onChange} />
      </div>
    </>
  );
}

/** Conditions that come from an entry or a link. */
function Chips({ search, onChange }: Pick<LogBarProps, 'search' | 'onChange'>) {
  return (['target', 'hash'] as const).map((name) => {
    const value = search[name];
    return value === undefined ? null : (
      <Chip
        key={name}
        name={name}
        onRemove={() => onChange({ [name]: undefined })}
        removeLabel={`Remove the condition on the ${name}`}
      >
        {value}
      </Chip>
    );
  });
}

/** A time that was chosen in the picture. */
function ChosenTime({ search: { from, to }, onChange }: Pick<LogBarProps, 'search' | 'onChange'>) {
  if (from === undefined && to === undefined) return null;
  return (
    <Chip
      name="time"
      onRemove={() => onChange({ from: undefined, to: undefined })}
      removeLabel="Remove the condition on the time"
    >
      {from === undefined ? null : <Time at={from} form="exact" />} to{' '}
      {to === undefined ? 'now' : <Time at={to} form="exact" />}
    </Chip>
  );
}
