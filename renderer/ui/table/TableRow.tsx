import { memo, type DragEvent } from 'react';

import { cx } from '../cx.ts';
import { Skeleton } from '../Skeleton.tsx';
import { pinOf } from './bands.ts';
import styles from './DataTable.module.css';
import type { TableColumn } from './types.ts';
import type { RowHandlers } from './use-table-view.ts';

interface TableRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: Row | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly label: string;
  readonly isCursor: boolean;
  /** `null` when rows cannot be selected. */
  readonly isSelected: boolean | null;
  readonly tone: 'struck' | 'bad' | undefined;
  readonly on: RowHandlers;
  readonly isDraggable?: boolean;
}

function Row<R>(props: TableRowProps<R>) {
  const { id, index, top, row, columns, label, isCursor, isSelected, tone, on, isDraggable = false } = props;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-label={label}
      {...(isSelected === null ? {} : { 'aria-selected': isSelected })}
      className={cx(
        styles['row'],
        isCursor && styles['cursor'],
        isSelected === true && styles['selected'],
        tone === 'struck' && styles['struck'],
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => on.click(event, index)}
      onDoubleClick={() => on.open(index)}
      {...(isDraggable ? { draggable: true, onDragStart: (event: DragEvent) => on.drag(event, index) } : {})}
    >
      {isSelected === null ? null : (
        <span
          className={cx(styles['check'], columns[0]?.isPinned === true && styles['pinnedCheck'])}
          role="presentation"
        >
          {row === undefined ? null : (
            <span
              aria-hidden="true"
              className={cx(styles['box'], isSelected && styles['ticked'])}
              onClick={(event) => {
                event.stopPropagation();
                on.toggle(index);
              }}
            />
          )}
        </span>
      )}
      {columns.map((column, position) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={position + 1}
          {...pinOf(column, position)}
          className={cx(
            styles['cell'],
            styles[column.look ?? 'plain'],
            column.align === 'end' && styles['end'],
            column.isPinned === true && styles['pinned'],
          )}
        >
          {row === undefined ? <Skeleton width={`${44 + ((index * 17 + position * 29) % 40)}%`} /> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Drawn again only when its own row, place or marks change. */
export const TableRow = memo(Row) as typeof Row; // memo() forgets the type parameter
