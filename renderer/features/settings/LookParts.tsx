import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { useSetSettings, useSettings } from '../../api/hooks.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { RadioGroup, Switch } from '../../ui/Toggle.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';

export function ThemePart() {
  const { theme } = useSettings();
  const set = useSetSettings();
  return (
    <Part title="Theme" sets={['theme']} about="High contrast uses pure black and white and strong lines.">
      <RadioGroup
        label="Theme"
        hideLabel
        orientation="horizontal"
        value={theme}
        onChange={(next) => set({ theme: next })}
        options={[
          { value: 'system', label: 'Follow the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'contrast', label: 'High contrast' },
        ]}
      />
    </Part>
  );
}

const palettes = [
  { value: 'usual', label: 'Default' },
  { value: 'deuteranopia', label: 'Green-weak (deuteranopia)' },
  { value: 'protanopia', label: 'Red-weak (protanopia)' },
  { value: 'tritanopia', label: 'Blue-weak (tritanopia)' },
] as const;

export function PalettePart() {
  const { palette } = useSettings();
  const set = useSetSettings();
  return (
    <Part
      title="State colours"
      sets={['palette']}
      about="Different colours for states, also in charts, in every theme. Shapes and words stay the same."
    >
      <RadioGroup
        label="State colours"
        hideLabel
        orientation="horizontal"
        value={palette}
        onChange={(next) => set({ palette: next })}
        options={palettes}
      />
      <div className={styles['line']}>
        <Tag tone="ok">✓ succeeded</Tag>
        <Tag tone="warn">! medium</Tag>
        <Tag tone="bad">✕ malicious</Tag>
        <Tag tone="hold">● isolated</Tag>
        <Tag>○ unknown</Tag>
      </div>
    </Part>
  );
}

export function SizePart() {
  const { fontSize } = useSettings();
  const set = useSetSettings();
  return (
    <Part title="Text size" sets={['fontSize']} about="On top of the zoom of the browser or the window.">
      <RadioGroup
        label="Text size"
        hideLabel
        orientation="horizontal"
        value={fontSize}
        onChange={(next) => set({ fontSize: next })}
        options={[
          { value: 'small', label: 'Small' },
          { value: 'normal', label: 'Normal' },
          { value: 'large', label: 'Large' },
          { value: 'largest', label: 'Largest' },
        ]}
      />
    </Part>
  );
}

export function DensityPart() {
  const { density } = useSettings();
  const set = useSetSettings();
  return (
    <Part title="Density" sets={['density']} about="Height of rows and of controls.">
      <RadioGroup
        label="Density"
        hideLabel
        orientation="horizontal"
        value={density}
        onChange={(next) => set({ density: next })}
        options={[
          { value: 'compact', label: 'Compact' },
          { value: 'normal', label: 'Normal' },
          { value: 'roomy', label: 'Comfortable' },
        ]}
      />
    </Part>
  );
}

export function TrayPart() {
  const { stayInTray } = useSettings();
  const set = useSetSettings();
  const host = useQuery(useApi().queries.app.info.queryOptions()).data?.host;
  if (host !== 'desktop') {
    return (
      <Part title="Closing the window" about="Headless, closing the page leaves Cordon running: Ctrl+C stops it." />
    );
  }
  return (
    <Part
      title="Closing the window"
      sets={['stayInTray']}
      about="In the tray, forwarding and the watch over isolations go on. Where the desktop shows no tray icons, Cordon asks before it quits."
    >
      <Switch isSelected={stayInTray} onChange={(next) => set({ stayInTray: next })}>
        Stay in the tray when the window is closed
      </Switch>
    </Part>
  );
}

export function ZonePart() {
  const { timeZone } = useSettings();
  const set = useSetSettings();
  return (
    <Part title="Time zone" sets={['timeZone']} about="For every time of this window.">
      <RadioGroup
        label="Time zone"
        hideLabel
        orientation="horizontal"
        value={timeZone}
        onChange={(next) => set({ timeZone: next })}
        options={[
          { value: 'local', label: 'Local time' },
          { value: 'utc', label: 'UTC' },
        ]}
        description={<Now />}
      />
    </Part>
  );
}

export function TimeFormPart() {
  const { clockForm, dateForm } = useSettings();
  const set = useSetSettings();
  return (
    <Part
      title="Date and time format"
      sets={['clockForm', 'dateForm']}
      about="Of this window. Exports, the command line and trajectory timelines always use year-month-day and 24 hours, which sort and compare. The language is English."
    >
      <RadioGroup
        label="Date"
        orientation="horizontal"
        value={dateForm}
        onChange={(next) => set({ dateForm: next })}
        options={[
          { value: 'iso', label: '2026-01-31' },
          { value: 'dmy', label: '31/01/2026' },
          { value: 'mdy', label: '01/31/2026' },
        ]}
      />
      <RadioGroup
        label="Clock"
        orientation="horizontal"
        value={clockForm}
        onChange={(next) => set({ clockForm: next })}
        options={[
          { value: '24', label: '24 hours' },
          { value: '12', label: '12 hours, AM and PM' },
        ]}
        description={<Now />}
      />
    </Part>
  );
}

function Now() {
  // When the host of this page answered last; any moment shows the form.
  const at = useQuery(useApi().queries.settings.get.queryOptions()).dataUpdatedAt;
  return (
    <>
      For example <Time at={new Date(at).toISOString()} form="exact" />
    </>
  );
}

export function SingleKeysPart() {
  const { singleKeys } = useSettings();
  const set = useSetSettings();
  return (
    <Part
      title="Single letters"
      sets={['singleKeys']}
      about="Switch them off where a screen reader or speech control uses letters itself."
    >
      <Switch isSelected={singleKeys} onChange={(next) => set({ singleKeys: next })}>
        Enable single-letter shortcuts
      </Switch>
    </Part>
  );
}
