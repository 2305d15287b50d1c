import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';

import type { FileListItemRow, FileListRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useCursor } from '../../commands/filter/use-cursor.ts';
import { useLateAddress } from '../../commands/filter/use-late-address.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import styles from './FileLists.module.css';
import { describeItem, itemColumns } from './item-columns.tsx';
import { ItemPeek } from './ItemPeek.tsx';
import { NoItems } from './ListStates.tsx';
import { itemSorts, type FileListSearch } from './search.ts';
import { SearchBox } from './SearchBox.tsx';
import { t } from './text.ts';
import { useItemKeys } from './use-item-keys.ts';
import { questionOf, useItems, useLocate, type ItemsQuestion } from './use-items.ts';
import type { ItemsReading } from './use-lists.ts';
import type { TableHandle } from '../../ui/table/types.ts';

/** Rows drawn as skeletons while nothing was ever read. */
const skeletonRows = 16;

interface ItemsTabProps {
  readonly list: FileListRow;
  readonly search: FileListSearch;
  readonly change: (next: Partial<FileListSearch>) => void;
  readonly reading: ItemsReading;
  /** The first listings are on their way. */
  readonly isBeginning: boolean;
  readonly onAdd: () => void;
  readonly onRemove: (item: FileListItemRow) => void;
  readonly onCopyAs: (item: FileListItemRow) => void;
}

/** The items of a list: search, order, rows, and one of them beside. */
export function ItemsTab(props: ItemsTabProps) {
  const { list, search, change, reading, isBeginning, onAdd, onRemove } = props;
  const navigate = useNavigate();
  const inAddress = search.search ?? '';
  const [asked, setAsked] = useState(inAddress);
  const address = useLateAddress(inAddress, (text) => change({ search: text === '' ? undefined : text }), setAsked);
  const ask = (text: string) => {
    setAsked(text);
    address.follow(text);
  };
  const question = { ...questionOf(search), search: asked };
  const rows = useItems(list.guid, question);
  const box = useRef<HTMLInputElement>(null);
  const table = useRef<TableHandle>(null);
  const currentRow = useRef<FileListItemRow | undefined>(undefined);
  const locate = useLocate(list.guid);
  const revision = rows.isPrevious ? undefined : rows.newest?.revision;
  const cursor = useCursor({ question, revision, table, locate });
  const closePeek = () => {
    change({ item: undefined });
    table.current?.focus();
  };
  useItemKeys({
    focusSearch: () => box.current?.focus(),
    current: () => (cursor.current() === currentRow.current?.sha256 ? currentRow.current : undefined),
    remove: onRemove,
    copyAs: props.onCopyAs,
    isPeeking: search.item !== undefined,
    closePeek,
  });

  const nothingYet = list.itemsRead.read === 0 && list.problem === null;
  const waiting = rows.isFirstLoad || (nothingYet && rows.count === 0 && (reading.isReading || isBeginning));
  const source = useMemo(
    () => (waiting ? { count: skeletonRows, row: () => undefined, want: () => undefined } : rows),
    [waiting, rows],
  );
  const matching = rows.isPrevious ? undefined : rows.newest?.matching;
  const open = (sha256: string) => {
    address.store(asked);
    void navigate({ to: '/file-lists/$guid/$sha256', params: { guid: list.guid, sha256 }, search: {} });
  };
  return (
    <>
      <div className={styles['tools']}>
        <SearchBox
          label={t.searchHashes}
          placeholder={t.beginningHash}
          value={question.search}
          onChange={ask}
          inputRef={box}
          onLeave={() => table.current?.focus()}
        />
        <span className={styles['dim']} role="status">
          {question.search === '' || matching === undefined ? '' : t.match(formatCount(matching))}
          {rows.newest?.isOrdered === false && !rows.isPrevious ? t.tooManyOrdered : ''}
        </span>
      </div>
      <div className={styles['body']}>
        <div className={styles['table']} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
          <DataTable
            label={t.hashes}
            source={source}
            columns={itemColumns}
            rowKey={(row) => row.sha256}
            describe={describeItem}
            sort={{ column: question.sort, descending: question.descending }}
            onSort={(column) => change(sortedBy(column, question))}
            onOpen={({ sha256 }) => open(sha256)}
            onPeek={({ sha256 }) => change({ item: sha256 === search.item ? undefined : sha256 })}
            onCursor={(row) => {
              cursor.set(row?.sha256);
              currentRow.current = row;
              if (row !== undefined && search.item !== undefined) change({ item: row.sha256 });
            }}
            rowTone={() => (list.vanishedAt === null ? undefined : 'struck')}
            isBusy={rows.isPrevious || waiting}
            empty={
              <NoItems
                list={list}
                reading={reading}
                error={rows.error}
                onRetry={rows.retry}
                search={question.search}
                onShowAll={() => ask('')}
                onAdd={onAdd}
              />
            }
            handle={table}
          />
        </div>
        {search.item === undefined ? null : (
          <ItemPeek
            guid={list.guid}
            sha256={search.item}
            onClose={closePeek}
            onOpen={() => open(search.item ?? '')}
            onRemove={onRemove}
          />
        )}
      </div>
    </>
  );
}

/** The same column once more turns the order; what was seen most comes first. */
function sortedBy(column: string, { sort, descending }: ItemsQuestion): Partial<FileListSearch> {
  const next = itemSorts.find((each) => each === column);
  if (next === undefined) return {};
  const turned = next === sort ? !descending : next === 'seen';
  return { sort: next === 'sha256' ? undefined : next, descending: turned ? true : undefined };
}
