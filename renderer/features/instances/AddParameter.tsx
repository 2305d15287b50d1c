import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  exposeAll,
  exposeKey,
  parameterKeys,
  parameterMeaning,
  parameterProblem,
} from '#shared/model/server-parameter.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { ComboBox } from '../../ui/Select.tsx';
import { GuardDialog } from './GuardDialog.tsx';
import styles from './ParametersScreen.module.css';
import { t } from './text.ts';
import { useGuard } from './use-guard.ts';

interface AddParameterProps {
  readonly known: readonly string[];
  /** Stands in the form at first. */
  readonly wanted: string;
}

/** A new row. Keys that exist are offered, also those of instances; any other can be typed. */
export function AddParameter({ known, wanted }: AddParameterProps) {
  const { client } = useApi();
  const guard = useGuard();
  const announce = useAnnounce();
  const [key, setKey] = useState(wanted);
  const [value, setValue] = useState('');
  const [tried, setTried] = useState(false);
  const names = useNames();
  const typed = key.trim();
  const problem = typed === '' ? 'Type a key.' : parameterProblem(typed, value.trim());
  // A key that cannot be is told at the key; what is wrong with its value, there.
  const isKeyWrong = typed === '' || parameterProblem(typed, 'true') === problem;
  const add = () => {
    setTried(true);
    if (problem !== null) return;
    guard.run(
      (confirmation) => client.instances.parameters.set({ key: typed, value: value.trim(), ...confirmation }),
      () => {
        announce(`${typed} is set`);
        setKey('');
        setValue('');
        setTried(false);
      },
    );
  };
  const shown = tried ? problem : null;
  return (
    <form
      className={styles['add']}
      aria-label={t.addAParameter}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <ComboBox
        label={t.key}
        input={key}
        onInput={(text) => {
          setKey(text);
          setTried(false);
          guard.clear();
        }}
        options={optionsFor(typed, known, names)}
        placeholder={t.nameOf(exposeAll)}
        error={isKeyWrong ? shown : null}
        description={
          typed === '' || (parameterProblem(typed, 'true') !== null && isKeyWrong)
            ? t.existingParameter
            : parameterMeaning(typed, names)
        }
        className={styles['key']}
      />
      <TextField
        label={t.value}
        value={value}
        onChange={(text) => {
          setValue(text);
          setTried(false);
          guard.clear();
        }}
        mono
        placeholder={t.true}
        error={isKeyWrong ? (guard.error?.message ?? null) : (shown ?? guard.error?.message ?? null)}
        className={styles['value']}
        autoComplete="off"
      />
      <Button type="submit" tone="primary" reason={guard.isPending ? t.saving : null} className={styles['submit']}>
        {known.includes(typed) ? t.set : t.add}
      </Button>
      <GuardDialog guard={guard} verb={t.setOf(typed)} />
    </form>
  );
}

function useNames(): readonly string[] {
  const { queries } = useApi();
  const { data } = useQuery(queries.instances.list.queryOptions());
  return data?.rows.map(({ instance }) => instance.name) ?? [];
}

function optionsFor(typed: string, known: readonly string[], names: readonly string[]) {
  const text = typed.toLowerCase();
  return [...parameterKeys, ...names.map(exposeKey)]
    .filter((key) => key.toLowerCase().includes(text))
    .map((key) => ({ value: key, label: key, detail: known.includes(key) ? 'set' : '' }));
}
