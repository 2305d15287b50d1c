import { useState } from 'react';

import type { ParameterRow } from '#shared/contract/instances.ts';
import { parameterProblem } from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { GuardDialog } from './GuardDialog.tsx';
import styles from './ParametersScreen.module.css';
import { t } from './text.ts';
import { useGuard } from './use-guard.ts';

interface ParameterLineProps {
  readonly row: ParameterRow;
  readonly problem: string | null;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** One row; its value is changed where it stands. */
export function ParameterLine(props: ParameterLineProps) {
  const { row, problem, isEditing, onEdit, onRemove } = props;
  return (
    <tr className={problem === null ? undefined : styles['wrong']}>
      <th scope="row" className={styles['mono']}>
        {row.key}
      </th>
      {isEditing ? (
        <Editing {...props} />
      ) : (
        <>
          <td className={styles['mono']}>{row.value}</td>
          <td className={styles['meaning']}>
            {row.meaning === problem ? null : row.meaning}
            {problem === null ? null : (
              <p className={styles['problem']}>
                <span aria-hidden="true">▲</span> {problem}
              </p>
            )}
          </td>
          <td className={styles['actions']}>
            <Button size="small" onPress={onEdit} aria-label={t.change(row.key)}>
              {t.changeTitle}
            </Button>
            <Button size="small" onPress={onRemove} aria-label={t.removeOf(row.key)} aria-haspopup="dialog">
              {t.remove}
            </Button>
          </td>
        </>
      )}
    </tr>
  );
}

function Editing({ row, onClose }: ParameterLineProps) {
  const { client } = useApi();
  const guard = useGuard();
  const [value, setValue] = useState(row.value);
  const [tried, setTried] = useState(false);
  const problem = parameterProblem(row.key, value.trim());
  const save = () => {
    setTried(true);
    if (problem !== null) return;
    guard.run(
      (confirmation) => client.instances.parameters.set({ key: row.key, value: value.trim(), ...confirmation }),
      onClose,
    );
  };
  return (
    <td colSpan={3} className={styles['editing']}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={t.valueOf(row.key)}
          hideLabel
          value={value}
          onChange={(text) => {
            setValue(text);
            setTried(false);
            guard.clear();
          }}
          mono
          autoFocus
          autoComplete="off"
          error={(tried ? problem : null) ?? guard.error?.message ?? null}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
          }}
          className={styles['value']}
        />
        <Button type="submit" tone="primary" reason={guard.isPending ? t.saving : null}>
          {t.save}
        </Button>
        <Button onPress={onClose}>{t.cancel}</Button>
      </form>
      <p className={styles['meaning']}>{row.meaning}</p>
      <GuardDialog guard={guard} verb={t.setOf(row.key)} />
    </td>
  );
}
