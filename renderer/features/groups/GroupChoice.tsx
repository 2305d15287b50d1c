import { useEffect, useMemo, useState } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';

import { pathsOf, targetsOf } from '../../commands/move/move-targets.ts';
import { ComboBox } from '../../ui/Select.tsx';
import { t } from './text.ts';

interface GroupChoiceProps {
  readonly label: string;
  readonly groups: readonly GroupNode[];
  /** The one that is chosen. */
  readonly group: GroupNode | undefined;
  readonly onChoose: (guid: string) => void;
}

/** One group of many, by a part of its path. */
export function GroupChoice({ label, groups, group, onChoose }: GroupChoiceProps) {
  const paths = useMemo(() => pathsOf(groups), [groups]);
  const chosen = group === undefined ? '' : (paths.get(group.guid) ?? group.name);
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => setTyped(null), [chosen]);
  // With nothing typed all of them can be chosen, not only the present one.
  const options = targetsOf(groups, paths, typed === chosen ? '' : (typed ?? ''));
  return (
    <ComboBox
      label={label}
      input={typed ?? chosen}
      onInput={setTyped}
      onChoose={(guid) => {
        // At once what it will be: a text that changes by itself would open the list again.
        setTyped(paths.get(guid) ?? null);
        onChoose(guid);
      }}
      options={options}
      error={options.length === 0 && groups.length > 0 ? t.noGroupPath : null}
      placeholder={t.typePartOfName}
    />
  );
}
