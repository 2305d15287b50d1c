import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import type { Connection } from '#shared/model/connection.ts';

import { useActiveConnectionOrNull } from '../../api/active.tsx';
import { useConnections } from '../../api/hooks.ts';
import { useChooseConnection } from '../../commands/use-choose-connection.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { ConnectionCard } from './ConnectionCard.tsx';
import styles from './connections.module.css';
import { EditDialog } from './EditDialog.tsx';
import { GuardsDialog } from './guards/GuardsDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import type { ConnectionsSearch } from './search.ts';
import { t } from './text.ts';

export function ConnectionsScreen() {
  const connections = useConnections();
  const active = useActiveConnectionOrNull();
  const search = useSearch({ from: '/connections' });
  const navigate = useNavigate({ from: '/connections' });
  const use = useChooseConnection();
  const [starters] = useState(() => new Map<string, () => void>());
  const [removing, setRemoving] = useState<Connection | null>(null);
  const show = (next: ConnectionsSearch) => void navigate({ search: next, replace: true });
  useKey('connections.add', () => show({ add: true }));
  useKey('connections.test', () => starters.get(focusedConnection() ?? active?.id ?? '')?.());
  const guarded = connections?.find(({ id }) => id === search.guards) ?? null;
  const edited = connections?.find((connection) => connection.id === search.edit && !connection.sandbox) ?? null;
  return (
    <Screen>
      <ScreenBar
        title={t.connections}
        facts={connections === undefined ? undefined : <span>{t.inThisProfile(connections.length)}</span>}
      >
        <Button onPress={() => show({ import: true })} aria-haspopup="dialog">
          {t.import}
        </Button>
        <Button tone="primary" onPress={() => show({ add: true })} aria-haspopup="dialog">
          {t.connectYourServiceMore}
        </Button>
      </ScreenBar>
      <div className={styles['scroll']}>
        {connections === undefined ? (
          <SkeletonLines lines={6} label={t.loadingTheConnections} />
        ) : connections.length === 0 ? (
          <EmptyState
            title={t.noConnectionYet}
            action={<Button onPress={() => show({ add: true })}>{t.connectYourServiceMore}</Button>}
          >
            {t.connectionAddress}
          </EmptyState>
        ) : (
          <ul className={styles['cards']} aria-label={t.connections}>
            {connections.map((connection) => (
              <ConnectionCard
                key={connection.id}
                connection={connection}
                isActive={connection.id === active?.id}
                starters={starters}
                onUse={() => use(connection.id)}
                onEdit={() => show({ edit: connection.id })}
                onGuards={() => show({ guards: connection.id })}
                onRemove={() => setRemoving(connection)}
              />
            ))}
          </ul>
        )}
      </div>
      {search.add === true ? (
        <EditDialog
          stored={null}
          focus="name"
          onClose={() => show({})}
          onSaved={(saved) => {
            use(saved.id);
            void navigate({ to: '/computers', search: {} });
          }}
        />
      ) : null}
      {search.import === true ? <ImportDialog onClose={() => show({})} /> : null}
      {edited === null ? null : (
        <EditDialog
          key={edited.id}
          stored={edited}
          focus={search.replaceKey === true ? 'apiKey' : 'name'}
          onClose={() => show({})}
          onSaved={() => show({})}
        />
      )}
      {guarded === null ? null : <GuardsDialog key={guarded.id} connection={guarded} onClose={() => show({})} />}
      {removing === null ? null : <RemoveDialog connection={removing} onClose={() => setRemoving(null)} />}
    </Screen>
  );
}

/** The connection whose card has the focus. */
function focusedConnection(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-connection-id]')?.dataset['connectionId'];
}
