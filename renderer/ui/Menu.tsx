import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator, Text } from 'react-aria-components';

import { fieldStyles } from './Field.tsx';
import { KeyCap } from './KeyCap.tsx';
import styles from './Menu.module.css';

export type MenuEntry =
  | {
      readonly id: string;
      readonly label: string;
      readonly detail?: string;
      readonly icon?: ReactNode;
      readonly keys?: string;
      readonly isDisabled?: boolean;
      readonly isCurrent?: boolean;
      readonly onAction: () => void;
    }
  | { readonly id: string; readonly separator: true };

/** `trigger` is a Button of this kit. */
export function Menu({
  label,
  trigger,
  entries,
}: {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly entries: readonly MenuEntry[];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={fieldStyles['popover'] ?? ''} offset={4}>
        <AriaMenu aria-label={label} className={fieldStyles['list'] ?? ''}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  if ('separator' in entry) return <Separator className={styles['separator'] ?? ''} />;
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      isDisabled={entry.isDisabled === true}
      onAction={entry.onAction}
      className={fieldStyles['option'] ?? ''}
    >
      {entry.icon}
      <Text slot="label">
        {entry.label}
        {entry.isCurrent === true ? <span className={styles['current']}> (current)</span> : null}
      </Text>
      {entry.detail === undefined ? null : (
        <Text slot="description" className={fieldStyles['detail'] ?? ''}>
          {entry.detail}
        </Text>
      )}
      {entry.keys === undefined ? null : (
        <span className={fieldStyles['detail']}>
          <KeyCap keys={entry.keys} />
        </span>
      )}
    </MenuItem>
  );
}
