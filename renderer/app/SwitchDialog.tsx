import { ListBox, ListBoxItem } from 'react-aria-components';

import type { Connection } from '#shared/model/connection.ts';

import { Button } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { connectionTitle } from '../ui/connection-words.ts';
import styles from './SwitchDialog.module.css';
import type { ActiveChoice } from './use-active.ts';

/** The connections of this profile; one is chosen for this window. */
export function SwitchDialog({ choice, onClose }: { readonly choice: ActiveChoice; readonly onClose: () => void }) {
  const current = choice.connection?.id;
  return (
    <Dialog
      title="Switch connection"
      isOpen
      onClose={onClose}
      size="small"
      footer={<Button onPress={onClose}>Cancel</Button>}
    >
      <ListBox
        aria-label="Connections"
        autoFocus
        onAction={(key) => {
          choice.choose(String(key));
          onClose();
        }}
        className={styles['list'] ?? ''}
      >
        {choice.all.map((connection) => (
          <Item key={connection.id} connection={connection} isCurrent={connection.id === current} />
        ))}
      </ListBox>
    </Dialog>
  );
}

function Item({ connection, isCurrent }: { readonly connection: Connection; readonly isCurrent: boolean }) {
  return (
    <ListBoxItem
      id={connection.id}
      textValue={connectionTitle(connection)}
      className={cx(styles['item'], isCurrent && styles['current'])}
    >
      <span
        className={styles['swatch']}
        style={{ background: `var(--connection-${connection.colour})` }}
        aria-hidden="true"
      />
      <span className={styles['title']}>
        {connectionTitle(connection)}
        {isCurrent ? ' (current)' : ''}
      </span>
      <span className={styles['detail']}>
        {connection.readOnly ? 'read-only · ' : ''}
        {connection.sandbox ? 'made-up data' : connection.url}
      </span>
    </ListBoxItem>
  );
}
