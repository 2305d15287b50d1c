import { useManaged } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Part } from './Part.tsx';
import { heldFacts } from './managed-words.ts';
import { t } from './text.ts';

/** What an administrator set and locked on this computer. */
export function ManagedPart() {
  const managed = useManaged();
  return (
    <Part title={t.managedConfiguration} about={t.fileComputer}>
      {managed.problem === null ? null : (
        <Banner tone="bad">
          {managed.problem} {t.lastValidSettings}
        </Banner>
      )}
      {managed.state === 'none' ? <p>{t.yourAdministrator}</p> : null}
      <KeyValue facts={heldFacts(managed)} />
    </Part>
  );
}
