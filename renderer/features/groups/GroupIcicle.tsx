import { useMemo } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';
import { formOf, formatCount } from '#shared/text/numbers.ts';

import { useComputersCount } from '../../api/active.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icicle } from '../../ui/chart/Icicle.tsx';
import { percentOf } from '../../ui/chart/shades.ts';
import styles from './GroupPictures.module.css';
import { bricksOf } from './icicle-model.ts';
import { t } from './text.ts';

interface GroupIcicleProps {
  readonly groups: readonly GroupNode[];
  /** Those that answer to the search; `null` without one. */
  readonly matching: ReadonlySet<string> | null;
  /** The group whose part alone is shown. */
  readonly root: string | undefined;
  readonly onRoot: (guid: string | undefined) => void;
  /** The group beside the picture. */
  readonly chosen: string | undefined;
  readonly onChoose: (guid: string) => void;
}

const unit = ['computer', 'computers'] as const;

/** The tree of a big tenant at one glance: as wide as their computers, children under their parent. */
export function GroupIcicle({ groups, matching, root, onRoot, chosen, onChoose }: GroupIcicleProps) {
  const { bricks: all, left } = useMemo(() => bricksOf(groups, root), [groups, root]);
  const bricks = useMemo(
    () => (matching === null ? all : all.map((brick) => ({ ...brick, isFaint: !matching.has(brick.key) }))),
    [all, matching],
  );
  const isCounted = useComputersCount() !== null;
  const known = useMemo(() => new Map(groups.map((group) => [group.guid, group])), [groups]);
  const [part, at] = [known.get(root ?? ''), known.get(chosen ?? '')];
  const shown = useMemo(() => groups.filter(({ guid }) => matching === null || matching.has(guid)), [groups, matching]);
  const above = part === undefined || part.parent === null ? undefined : known.get(part.parent);
  return (
    <div className={styles['picture']}>
      <div className={styles['line']}>
        <span>
          {t.shown} {part === undefined ? t.allGroups : t.andBelow(part.name)}
        </span>
        <Button
          size="small"
          onPress={() => onRoot(at?.guid)}
          reason={at === undefined || at.children.length === 0 || at.guid === part?.guid ? t.chooseAnother : null}
        >
          {at === undefined || at.children.length === 0 ? t.onlyAPart : t.onlyAndBelow(at.name)}
        </Button>
        <Button size="small" onPress={() => onRoot(above?.guid)} reason={part === undefined ? t.allGroupsShown : null}>
          {t.oneLevelUp}
        </Button>
        {left === 0 ? null : (
          <span className={styles['note']}>
            {t.moreTooSmall(formatCount(left), formOf(left, ['group is', 'groups are']))}
          </span>
        )}
      </div>
      <Icicle
        title={t.groupsComputers}
        summary={t.chartShows(formatCount(bricks.length), formatCount(left))}
        bricks={bricks}
        chosen={chosen}
        unit={unit}
        mark="compromised"
        onOpen={onChoose}
        empty={bricks.length > 0 ? null : isCounted ? t.noGroupHere : t.computersNot}
        fileName="groups"
        table={{
          columns: ['Group', 'Parent', 'computers with subgroups', 'compromised', 'share'],
          rows: shown.map(({ guid, name, parent, below }) => ({
            key: guid,
            cells: [
              name,
              known.get(parent ?? '')?.name ?? '–',
              formatCount(below.computers),
              formatCount(below.compromised),
              percentOf({ value: below.computers, marked: below.compromised }),
            ],
            isSelected: guid === chosen,
            onPress: () => onChoose(guid),
          })),
        }}
      />
    </div>
  );
}
