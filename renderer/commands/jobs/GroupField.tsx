import { useMemo, useState } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';

import { ComboBox } from '../../ui/Select.tsx';
import { useGroups } from '../directory/use-directory.ts';
import { targetsWords } from './job-words.ts';
import { t } from './text.ts';

interface GroupFieldProps {
  readonly chosen: string | null;
  readonly onChoose: (guid: string | null) => void;
  readonly problem: string | null;
}

const longestList = 60;

/** A group that is there now, by a part of its path. */
export function GroupField({ chosen, onChoose, problem }: GroupFieldProps) {
  const { items: groups = [], error } = useGroups();
  const paths = useMemo(() => pathsOf(groups), [groups]);
  const [typed, setTyped] = useState(paths.get(chosen ?? '') ?? '');
  const wanted = chosen === null ? typed.trim().toLowerCase() : '';
  const options = groups
    .filter(({ guid, vanishedAt }) => vanishedAt === null && (paths.get(guid) ?? '').toLowerCase().includes(wanted))
    .slice(0, longestList)
    .map(({ guid, name, computers }) => ({
      value: guid,
      label: paths.get(guid) ?? name,
      detail: targetsWords('move', computers),
    }));
  return (
    <ComboBox
      label={t.toTheGroup}
      isRequired
      input={typed}
      onInput={(text) => {
        setTyped(text);
        onChoose(groups.find(({ guid }) => paths.get(guid) === text)?.guid ?? null);
      }}
      onChoose={(guid) => {
        onChoose(guid);
        setTyped(paths.get(guid) ?? '');
      }}
      options={options}
      placeholder={t.typePartOfName}
      error={error === null ? problem : t.couldNotLoadGroups(error.message)}
      description={t.eachComputers}
    />
  );
}

/** Paths such as `Hospital ▸ Wards`. Parents stand before their children. */
function pathsOf(groups: readonly GroupNode[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const { guid, name, parent } of groups) {
    const above = paths.get(parent ?? '');
    paths.set(guid, above === undefined ? name : `${above} ▸ ${name}`);
  }
  return paths;
}
