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
import { t } from './text.ts';

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
    <SidePanel label={t.hashCursor} onClose={onClose}>
      {error !== null && data === undefined ? (
        <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={8} />
      ) : own === undefined ? (
        <EmptyState title={t.noLongerList}>{t.localDataList}</EmptyState>
      ) : (
        <>
          <SidePanelHeader title={data.seen.names[0] ?? `${sha256.slice(0, 12)}…`} name={sha256} />
          <Card title={t.onThisList}>
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
          <Card title={t.seenStored}>
            <KeyValue facts={factsOfSeen(data.seen)} />
          </Card>
          {others.length === 0 ? null : (
            <Card title={t.otherLists}>
              {others.map(({ list }) => (
                <p key={list.guid}>
                  <Link href={`/file-lists/${list.guid}/${sha256}`}>{list.name}</Link>
                </p>
              ))}
            </Card>
          )}
          <SidePanelActions label={t.searchFurther}>
            <Button tone="primary" onPress={onOpen}>
              {t.openHash} <KeyCap keys="Enter" />
            </Button>
            <Button onPress={() => onRemove(own.item)} lock={lock} aria-haspopup="dialog">
              {t.remove} <KeyCap keys="Del" />
            </Button>
          </SidePanelActions>
        </>
      )}
    </SidePanel>
  );
}
