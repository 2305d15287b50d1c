import { useId, useLayoutEffect, useMemo, useState, type CSSProperties, type ReactNode, type RefObject } from 'react';

import { t } from '../text.ts';
import { checkWidth, pinsOf } from './bands.ts';
import { useColumnSizes, type ColumnSizes } from './column-sizes.ts';
import styles from './DataTable.module.css';
import { columnsThatFit, pinnedThatFit } from './fitting.ts';
import { HeaderRow } from './HeaderRow.tsx';
import { SortDialog } from './SortDialog.tsx';
import { TableRow } from './TableRow.tsx';
import type { TableColumn, DataTableProps } from './types.ts';
import { useTableView, type TableView } from './use-table-view.ts';

/** A grid for very many rows: only what is in view is drawn, and one row has the cursor. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, source, sort = null, onSort, onSelectionChange, empty, isBusy = false } = props;
  const id = useId();
  const view = useTableView(props);
  const selectable = onSelectionChange !== undefined;
  const columns = useFitting(props.columns, view.scroller, selectable);
  const sizes = useColumnSizes(columns, props.onWidths);
  const isDrawn = view.items.some((item) => item.index === view.at);
  return (
    <>
      <div
        ref={view.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={source.count + 1}
        aria-colcount={columns.length}
        aria-multiselectable={selectable}
        aria-busy={isBusy}
        data-opens={props.onOpen === undefined ? undefined : true}
        data-peeks={props.onPeek === undefined ? undefined : true}
        {...(isDrawn ? { 'aria-activedescendant': `${id}-${view.at}`, 'data-cursor': true } : {})}
        tabIndex={0}
        className={styles['grid']}
        style={{ ...layoutOf(sizes, selectable), ...pinsAsProperties(pinsOf(columns, sizes.widths, selectable)) }}
        onKeyDown={view.press}
      >
        <HeaderRow columns={columns} sizes={sizes} sort={sort} onSort={onSort} selectable={selectable} />
        {source.count === 0 && empty !== undefined ? (
          <Instead>{empty}</Instead>
        ) : (
          <Rows id={id} table={props} columns={columns} view={view} />
        )}
      </div>
      {onSort === undefined ? null : <SortDialog label={label} columns={props.columns} sort={sort} onSort={onSort} />}
    </>
  );
}

interface RowsProps<Row> {
  readonly id: string;
  readonly table: DataTableProps<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly view: TableView;
}

function Rows<Row>({ id, table, columns, view }: RowsProps<Row>) {
  const { source, selection, rowKey, describe, rowTone } = table;
  const selectable = table.onSelectionChange !== undefined;
  return (
    <div role="rowgroup" className={styles['body']} style={{ height: view.height }}>
      {view.items.map((item) => {
        const row = source.row(item.index);
        return (
          <TableRow
            key={item.index}
            id={`${id}-${item.index}`}
            index={item.index}
            top={item.start}
            row={row}
            columns={columns}
            label={row === undefined ? t.loading : describe(row)}
            isCursor={item.index === view.at}
            isSelected={selectable ? row !== undefined && selection?.has(rowKey(row)) === true : null}
            tone={row === undefined ? undefined : rowTone?.(row)}
            on={view.on}
            isDraggable={table.onDrag !== undefined && row !== undefined}
          />
        );
      })}
    </div>
  );
}

/** The columns that the table has room for now. */
function useFitting<Row>(
  columns: readonly TableColumn<Row>[],
  scroller: RefObject<HTMLElement | null>,
  selectable: boolean,
): readonly TableColumn<Row>[] {
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  const room = width - (selectable ? checkWidth : 0);
  return useMemo(() => pinnedThatFit(columnsThatFit(columns, room), room), [columns, room]);
}

/** Custom properties for the stylesheet: the columns of header and rows, and the width below which they scroll. */
function layoutOf(sizes: ColumnSizes, selectable: boolean): CSSProperties {
  const properties: Record<string, string> = {
    '--columns': `${selectable ? `${checkWidth}px ` : ''}${sizes.template}`,
    '--min-width': `${sizes.minWidth + (selectable ? checkWidth : 0)}px`,
  };
  return properties;
}

/** `--pin-0` and so on, and `--pinned-room`: rows need not be drawn again when a pinned column gets wider. */
function pinsAsProperties(pins: readonly number[]): CSSProperties {
  const named = pins.map((left, place) => [
    place === pins.length - 1 ? '--pinned-room' : `--pin-${place}`,
    `${left}px`,
  ]);
  return Object.fromEntries(named);
}

function Instead({ children }: { readonly children: ReactNode }) {
  return (
    <div role="rowgroup" className={styles['empty']}>
      <div role="row">
        <div role="gridcell">{children}</div>
      </div>
    </div>
  );
}
