import { useMemo, useState } from 'react';

import type { UndoItem } from '#shared/model/undo-list.ts';

import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { t } from '../text.ts';
import styles from './UndoList.module.css';
import { UndoPreviewDialog } from './UndoPreviewDialog.tsx';
import { itemCount, standingOf } from './undo-words.ts';
import { useUndoItems } from './use-undo.ts';

/** What was changed in the last 24 hours and can be undone. Opening it sends nothing, and neither does choosing. */
export function UndoListDialog({ onClose }: { readonly onClose: () => void }) {
  const { items, error, retry } = useUndoItems();
  const [chosen, setChosen] = useState<string | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const source = useMemo(
    () => ({
      count: items === undefined ? 4 : items.length,
      row: (index: number) => items?.[index],
      want: () => undefined,
    }),
    [items],
  );
  if (chosen !== null) return <UndoPreviewDialog id={chosen} onBack={() => setChosen(null)} onClose={onClose} />;
  return (
    <Dialog
      title={t.undoHistory}
      size="large"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.close}</Button>
          <Button tone="primary" onPress={() => setChosen(current)} reason={current === null ? t.selectChange : null}>
            {t.showWhatWould}
          </Button>
        </>
      }
    >
      <p className={styles['dim']}>{t.movesPolicy}</p>
      <div className={styles['table']}>
        {error !== null && items === undefined ? (
          <ErrorState error={error} title={t.couldNotLoadUndo} onRetry={retry} />
        ) : (
          <DataTable
            label={t.changesUndone}
            source={source}
            columns={columns}
            rowKey={({ id }) => id}
            describe={describe}
            onOpen={({ id }) => setChosen(id)}
            onCursor={(item) => setCurrent(item?.id ?? null)}
            rowTone={({ undoneAt }) => (undoneAt === null ? undefined : 'struck')}
            isBusy={items === undefined}
            empty={<EmptyState title={t.noChangesLast}>{t.movesPolicyChanges}</EmptyState>}
          />
        )}
      </div>
    </Dialog>
  );
}

const columns: readonly TableColumn<UndoItem>[] = [
  { id: 'title', title: 'Change', width: 330, look: 'name', cell: ({ title }) => <span title={title}>{title}</span> },
  { id: 'targets', title: 'Of', width: 110, yields: 2, cell: itemCount },
  { id: 'standing', title: 'Undo', width: 150, cell: (item) => <Standing item={item} /> },
  { id: 'at', title: 'When', width: 84, cell: ({ at }) => <Time at={at} /> },
  { id: 'by', title: 'By', width: 90, yields: 1, look: 'dim', cell: ({ by }) => by },
];

function Standing({ item }: { readonly item: UndoItem }) {
  switch (standingOf(item)) {
    case 'possible':
      return <Tag tone="ok">{t.canBeUndone}</Tag>;
    case 'undone':
      return <Tag>{t.undone}</Tag>;
    case 'impossible':
      return (
        <span title={item.impossible ?? ''}>
          <Tag tone="warn">{t.cannotBeUndone}</Tag>
        </span>
      );
  }
}

function describe(item: UndoItem): string {
  const words = {
    possible: 'can be undone',
    undone: 'undone',
    impossible: `cannot be undone: ${item.impossible ?? ''}`,
  };
  return `${item.title}, ${words[standingOf(item)]}`;
}
