import { useId, type CSSProperties, type ReactNode, type Ref } from 'react';

import { useColumnSizes, type ColumnSizes } from './column-sizes.ts';
import styles from './DataTable.module.css';
import { HeaderRow } from './HeaderRow.tsx';
import { TableRow } from './TableRow.tsx';
import type { RowSource, TableActions, TableColumn, TableSort } from './types.ts';
import { useTableView } from './use-table-view.ts';

export interface TableHandle {
  /** Moves the cursor and brings it into view. */
  goTo(index: number): void;
  focus(): void;
}

export interface DataTableProps<Row> extends TableActions<Row> {
  readonly label: string;
  readonly source: RowSource<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly rowKey: (row: Row) => string;
  /** A row in words, as it is announced. */
  readonly describe: (row: Row) => string;
  readonly sort?: TableSort | null;
  readonly onSort?: (column: string) => void;
  readonly selection?: ReadonlySet<string>;
  /** Left out, rows cannot be selected. */
  readonly onSelectionChange?: (selection: ReadonlySet<string>) => void;
  readonly rowTone?: (row: Row) => 'struck' | 'bad' | undefined;
  /** Shown in place of rows when there are none. */
  readonly empty?: ReactNode;
  readonly isBusy?: boolean;
  readonly handle?: Ref<TableHandle>;
}

/** A grid for very many rows: only what is in view is drawn, and one row has the cursor. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    source,
    columns,
    rowKey,
    describe,
    sort = null,
    onSort,
    selection,
    onSelectionChange,
    rowTone,
    empty,
    isBusy = false,
  } = props;
  const id = useId();
  const sizes = useColumnSizes(columns);
  const view = useTableView(props);
  const { at, items } = view;
  const selectable = onSelectionChange !== undefined;
  const isDrawn = items.some((item) => item.index === at);
  return (
    <div
      ref={view.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={source.count + 1}
      aria-colcount={columns.length}
      aria-multiselectable={selectable}
      aria-busy={isBusy}
      {...(isDrawn ? { 'aria-activedescendant': `${id}-${at}`, 'data-cursor': true } : {})}
      tabIndex={0}
      className={styles['grid']}
      style={layoutOf(sizes, selectable)}
      onKeyDown={view.press}
    >
      <HeaderRow columns={columns} sizes={sizes} sort={sort} onSort={onSort} selectable={selectable} />
      {source.count === 0 && empty !== undefined ? (
        <Instead>{empty}</Instead>
      ) : (
        <div role="rowgroup" className={styles['body']} style={{ height: view.height }}>
          {items.map((item) => {
            const row = source.row(item.index);
            return (
              <TableRow
                key={item.index}
                id={`${id}-${item.index}`}
                index={item.index}
                top={item.start}
                row={row}
                columns={columns}
                label={row === undefined ? 'Loading' : describe(row)}
                isCursor={item.index === at}
                isSelected={selectable ? row !== undefined && selection?.has(rowKey(row)) === true : null}
                tone={row === undefined ? undefined : rowTone?.(row)}
                on={view.on}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}

const checkWidth = 32;

/** Custom properties for the stylesheet: the columns of header and rows, and the width below which they scroll. */
function layoutOf(sizes: ColumnSizes, selectable: boolean): CSSProperties {
  const properties: Record<string, string> = {
    '--columns': `${selectable ? `${checkWidth}px ` : ''}${sizes.template}`,
    '--min-width': `${sizes.minWidth + (selectable ? checkWidth : 0)}px`,
  };
  return properties;
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
