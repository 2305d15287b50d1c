import { Lock } from 'lucide-react';
import type { RefObject } from 'react';

import type { GroupNode } from '#shared/contract/directory.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { useWriteRefusal } from '../../api/active.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { filterOf } from './group-facts.ts';
import styles from './GroupParts.module.css';
import { MembersList } from './MembersList.tsx';
import { t } from './text.ts';
import type { TableHandle } from '../../ui/table/types.ts';

interface MembersProps {
  readonly group: GroupNode;
  /** The group and those below it. */
  readonly below: readonly GroupNode[];
  readonly withBelow: boolean;
  readonly onWithBelow: (on: boolean) => void;
  readonly onOpen: (row: ComputerRow) => void;
  readonly onCursor: (row: ComputerRow | undefined) => void;
  /** There is a tree beside it to drop a computer on. */
  readonly hasTree: boolean;
  readonly handle: RefObject<TableHandle | null>;
  readonly wantsFocus: boolean;
  readonly onFocused: () => void;
}

/** The list of members with what can be done with it. */
export function Members(props: MembersProps) {
  const { group, below, withBelow, onWithBelow } = props;
  const refusal = useWriteRefusal();
  const all = filterOf(below);
  const filter = withBelow && all !== null ? all : (filterOf([group]) ?? '');
  return (
    <>
      <div className={styles['membersHead']}>
        <h2 className={styles['membersTitle']}>{t.members}</h2>
        {below.length === 1 ? null : (
          <Checkbox isSelected={withBelow && all !== null} onChange={onWithBelow} isDisabled={all === null}>
            {t.withThoseOf(
              below.length - 1,
              below.length === 2 ? t.subgroup : t.subgroups,
              all === null ? t.tooManyList : '',
            )}
          </Checkbox>
        )}
      </div>
      <MembersList
        group={group}
        filter={filter}
        hasGroups={withBelow}
        onMore={withBelow || all === null ? null : () => onWithBelow(true)}
        onOpen={props.onOpen}
        onCursor={props.onCursor}
        handle={props.handle}
        wantsFocus={props.wantsFocus}
        onFocused={props.onFocused}
      />
      <p className={styles['note']}>
        {refusal === null ? (
          <>
            {props.hasTree ? t.dragComputer : t.press}
            <KeyCap keys="m" /> {t.oneMoveDialog(props.hasTree ? t.bothOnlyOpen : t.itOnlyOpens)}
          </>
        ) : (
          <>
            <Lock size={12} aria-hidden="true" /> {t.nothingMoved} {refusal}
          </>
        )}
      </p>
    </>
  );
}
