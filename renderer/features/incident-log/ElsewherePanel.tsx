import type { AuditRecord } from '#shared/model/audit.ts';

import { Button } from '../../ui/Button.tsx';
import { KeyValue, type Fact } from '../../ui/KeyValue.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { ObjectLink } from './ObjectLink.tsx';
import styles from './IncidentLogScreen.module.css';
import type { IncidentLogSearch } from './search.ts';
import { t } from './text.ts';

interface ElsewherePanelProps {
  readonly record: AuditRecord;
  readonly onClose: () => void;
  readonly onPin: () => void;
  readonly onOnly: (condition: Partial<IncidentLogSearch>) => void;
}

/** An action that was made elsewhere, with what it changed. It can be read and kept, not changed. */
export function ElsewherePanel({ record, onClose, onPin, onOnly }: ElsewherePanelProps) {
  const { user, target, changes } = record;
  return (
    <SidePanel label={t.entryCursor} onClose={onClose}>
      <div className={styles['panelHead']}>
        <Tag tone="hold">
          <span aria-hidden="true">↘</span> {t.elsewhere}
        </Tag>
        <Time at={record.at} form="exact" />
      </div>
      <p className={styles['message']}>{record.message}</p>
      <p className={styles['hint']}>{t.madeWebConsole}</p>
      <Card title={t.details}>
        <KeyValue facts={factsOf(record)} />
        <div className={styles['acts']}>
          {target === null ? null : (
            <Button size="small" onPress={() => onOnly({ target: target.guid })}>
              {t.onlyThisObject}
            </Button>
          )}
          <Button size="small" onPress={() => onOnly({ person: user })}>
            {t.onlyThisPerson}
          </Button>
        </div>
      </Card>
      {changes.length === 0 ? null : (
        <Card title={t.whatChanged}>
          <table className={styles['changes']}>
            <thead>
              <tr>
                <th scope="col">{t.attribute}</th>
                <th scope="col">{t.before}</th>
                <th scope="col">{t.after}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, old, new: fresh }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{old ?? '–'}</td>
                  <td>{fresh ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
      <div>
        <Button onPress={onPin} aria-haspopup="dialog">
          {t.pinAsEvidence}
        </Button>
      </div>
    </SidePanel>
  );
}

function factsOf({ user, type, event, target, at, serviceAt }: AuditRecord): readonly Fact[] {
  const isShifted = Date.parse(at) !== Date.parse(serviceAt);
  const facts: (Fact | null)[] = [
    { name: 'By', value: user },
    { name: 'Action', value: `${type} ${event}`, mono: true },
    target === null ? null : { name: 'Object', value: <ObjectLink target={target} kind={type} /> },
    target === null ? null : { name: 'GUID', value: target.guid, mono: true },
    isShifted ? { name: 'By its clock', value: <Time at={serviceAt} form="exact" /> } : null,
  ];
  return facts.filter((fact) => fact !== null);
}
