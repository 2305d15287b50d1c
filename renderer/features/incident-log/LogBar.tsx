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
import { t } from './text.ts';

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
        title={t.incidentLog}
        facts={matching === undefined ? undefined : <span>{counted(matching, nouns.entry)}</span>}
      >
        <Button onPress={onNote} aria-haspopup="dialog">
          {t.addNote}
        </Button>
        <Button onPress={onHandover} tooltip={t.whatOpenWhat}>
          {t.shiftHandover}
        </Button>
        <Button
          onPress={() => onChange({ pictures: search.pictures === true ? undefined : true })}
          tooltip={t.hostsChanges}
        >
          {search.pictures === true ? t.hideCharts : t.charts}
        </Button>
        <Button onPress={onVerify} tooltip={t.checksHash}>
          {t.verify}
        </Button>
        <Button onPress={onExport} aria-haspopup="dialog">
          {t.exportMore}
        </Button>
      </ScreenBar>
      <div className={styles['conditions']}>
        <TextField
          label={t.searchTheLog}
          hideLabel
          type="search"
          value={text}
          onChange={type}
          placeholder={t.searchMessages}
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
          {t.changesOnly}
        </Checkbox>
        <Checkbox
          isSelected={search.pinned === true}
          onChange={(pinned) => onChange({ pinned: pinned ? true : undefined })}
        >
          {t.pinnedOnly}
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
        removeLabel={t.removeCondition(name)}
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
    <Chip name="time" onRemove={() => onChange({ from: undefined, to: undefined })} removeLabel={t.removeConditionTime}>
      {from === undefined ? null : <Time at={from} form="exact" />} {t.to}{' '}
      {to === undefined ? t.now : <Time at={to} form="exact" />}
    </Chip>
  );
}
