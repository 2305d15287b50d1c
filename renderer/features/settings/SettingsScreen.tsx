import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentType } from 'react';

import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { LicencesPart, VersionPart } from './AboutParts.tsx';
import { ConnectionFilesPart, GuardsPart, NetworkPart } from './ConnectionParts.tsx';
import { DiagnosticsPart } from './DiagnosticsPart.tsx';
import { KeyMapPart } from './KeyMapPart.tsx';
import { KeptEventsPart, StoredPart } from './LocalDataParts.tsx';
import {
  DensityPart,
  PalettePart,
  SingleKeysPart,
  SizePart,
  ThemePart,
  TimeFormPart,
  TrayPart,
  ZonePart,
} from './LookParts.tsx';
import { NotifyKindsPart, NotifyPart, QuietHoursPart } from './NoticeParts.tsx';
import { ManagedPart } from './ManagedPart.tsx';
import { matchingParts, sectionTitles, type PartId } from './parts.ts';
import { sectionIds, type SectionId } from './search.ts';
import { SecretStorePart } from './SecretStorePart.tsx';
import { SessionsPart } from './SessionsPart.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';

const contents: Readonly<Record<PartId, ComponentType>> = {
  theme: ThemePart,
  palette: PalettePart,
  size: SizePart,
  density: DensityPart,
  tray: TrayPart,
  zone: ZonePart,
  timeForm: TimeFormPart,
  singleKeys: SingleKeysPart,
  keyMap: KeyMapPart,
  notify: NotifyPart,
  notifyKinds: NotifyKindsPart,
  quietHours: QuietHoursPart,
  connectionFiles: ConnectionFilesPart,
  guards: GuardsPart,
  network: NetworkPart,
  stored: StoredPart,
  keptEvents: KeptEventsPart,
  secretStore: SecretStorePart,
  sessions: SessionsPart,
  managed: ManagedPart,
  version: VersionPart,
  licences: LicencesPart,
  diagnostics: DiagnosticsPart,
};

/** Everything that a person sets for this profile, and what the program tells of itself. Changes take effect immediately. */
export function SettingsScreen() {
  const search = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const box = useRef<HTMLInputElement>(null);
  const [find, setFind] = useState(search.find ?? '');
  const shown = matchingParts(find);
  const sections = sectionIds.filter((id) => shown.some((part) => part.section === id));
  const type = (next: string) => {
    setFind(next);
    void navigate({ search: next === '' ? {} : { find: next }, replace: true });
  };
  useKey('settings.find', () => box.current?.focus());
  useScrollTo(search.section);
  return (
    <Screen>
      <ScreenBar title={t.settings} facts={<span>{t.changesTake}</span>}>
        <TextField
          label={t.searchTheSettings}
          hideLabel
          type="search"
          value={find}
          onChange={type}
          placeholder={t.searchTheSettings}
          inputRef={box}
          className={styles['find']}
        />
      </ScreenBar>
      <div className={styles['body']}>
        <nav className={styles['index']} aria-label={t.partsSettings}>
          {sections.map((id) => (
            <Button
              key={id}
              tone="quiet"
              className={styles['indexItem']}
              onPress={() => {
                void navigate({ search: (old) => ({ ...old, section: id }), replace: true });
                goTo(id);
              }}
            >
              {sectionTitles[id]}
            </Button>
          ))}
        </nav>
        <div className={styles['scroll']}>
          {sections.length === 0 ? (
            <EmptyState
              title={t.noSettingMatches(find)}
              action={<Button onPress={() => type('')}>{t.showAllSettings}</Button>}
            />
          ) : null}
          {sections.map((id) => (
            <section key={id} id={anchor(id)} className={styles['section']} aria-label={sectionTitles[id]}>
              <h2 className={styles['heading']} tabIndex={-1}>
                {sectionTitles[id]}
              </h2>
              {shown
                .filter((part) => part.section === id)
                .map((part) => {
                  const Content = contents[part.id];
                  return <Content key={part.id} />;
                })}
            </section>
          ))}
        </div>
      </div>
    </Screen>
  );
}

function anchor(id: SectionId): string {
  return `settings-${id}`;
}

function goTo(id: SectionId): void {
  const heading = document.getElementById(anchor(id))?.querySelector('h2');
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** A link may name a part. Only when the screen opens: later the person scrolls. */
function useScrollTo(section: SectionId | undefined): void {
  const first = useRef(section);
  useEffect(() => {
    if (first.current !== undefined) goTo(first.current);
  }, []);
}
