import { useQuery } from '@tanstack/react-query';

import type { FileListItemRow } from '#shared/contract/directory.ts';

import { useActiveConnection, useWriteRefusal } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Link } from '../../ui/Link.tsx';
import { SidePanel, SidePanelActions, SidePanelHeader } from '../../ui/SidePanel.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { factsOfItem, factsOfSeen } from './item-facts.tsx';

interface ItemPeekProps {
  readonly guid: string;
  readonly sha256: string;
  readonly onClose: () => void;
  readonly onOpen: () => void;
  readonly onRemove: (item: FileListItemRow) => void;
}

/** One item beside the list, from the local copy: no call is made for it. */
export function ItemPeek({ guid, sha256, onClose, onOpen, onRemove }: ItemPeekProps) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const lock = useWriteRefusal();
  const { data, error, refetch } = useQuery(
    queries.directory.fileLists.hash.queryOptions({ input: { connection, sha256 } }),
  );
  const own = data?.holding.find(({ list }) => list.guid === guid);
  const others = data?.holding.filter(({ list }) => list.guid !== guid) ?? [];
  return (
    <SidePanel label="Hash at the cursor" onClose={onClose}>
      {error !== null && data === undefined ? (
        <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={8} />
      ) : own === undefined ? (
        <EmptyState title="No longer on this list">Local data of this list no longer holds the hash.</EmptyState>
      ) : (
        <>
          <SidePanelHeader title={data.seen.names[0] ?? `${sha256.slice(0, 12)}…`} name={sha256} />
          <Card title="On this list">
            <KeyValue
              facts={[
                {
                  name: 'SHA-256',
                  value: (
                    <>
                      {sha256} <CopyButton text={sha256} what="hash" />
                    </>
                  ),
                  mono: true,
                },
                ...factsOfItem(own.item),
              ]}
            />
          </Card>
          <Card title="Seen in stored events">
            <KeyValue facts={factsOfSeen(data.seen)} />
          </Card>
          {others.length === 0 ? null : (
            <Card title="Other lists that hold it">
              {others.map(({ list }) => (
                <p key={list.guid}>
                  <Link href={`/file-lists/${list.guid}/${sha256}`}>{list.name}</Link>
                </p>
              ))}
            </Card>
          )}
          <SidePanelActions label="Look further">
            <Button tone="primary" onPress={onOpen}>
              Open hash <KeyCap keys="Enter" />
            </Button>
            <Button onPress={() => onRemove(own.item)} lock={lock} aria-haspopup="dialog">
              Remove… <KeyCap keys="Del" />
            </Button>
          </SidePanelActions>
        </>
      )}
    </SidePanel>
  );
}
