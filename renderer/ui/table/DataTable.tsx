import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
} from 'react';

import { cx } from '../cx.ts';
import { useSingleKeys } from '../SingleKeys.tsx';
import { useColumnSizes } from './column-sizes.ts';
import styles from './DataTable.module.css';
import { HeaderRow } from './HeaderRow.tsx';
import { keyInTable } from './movement.ts';
import { TableRow } from './TableRow.tsx';
import type { RowSource, TableActions, TableColumn, TableSort } from './types.ts';

/** Row height in pixels, as `--row` in tokens.css. */
const rowHeight = 28;

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
    handle,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [cursor, setCursor] = useState(-1);
  const anchor = useRef(-1);
  const letters = useSingleKeys();
  const sizes = useColumnSizes(columns);
  const at = Math.min(cursor, source.count - 1);
  const rows = useVirtualizer({
    count: source.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The header is sticky: it covers one row of the view.
    scrollPaddingEnd: rowHeight,
    useFlushSync: false,
  });
  const items = rows.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? -1) + 1;
  useEffect(() => source.want(from, to), [source, from, to]);

  const moveTo = (index: number, extend: boolean) => {
    setCursor(index);
    rows.scrollToIndex(index, { align: 'auto' });
    if (extend) extendTo(index);
    else anchor.current = index;
    props.onCursor?.(source.row(index), index);
  };
  useImperativeHandle(handle, () => ({
    goTo: (index) => moveTo(index, false),
    focus: () => scroller.current?.focus(),
  }));

  const extendTo = (index: number) => {
    if (onSelectionChange === undefined) return;
    const start = anchor.current < 0 ? Math.max(0, at) : anchor.current;
    anchor.current = start;
    onSelectionChange(new Set([...(selection ?? []), ...keysBetween(source, rowKey, start, index)]));
  };
  const toggle = (index: number) => {
    const row = source.row(index);
    if (row === undefined || onSelectionChange === undefined) return;
    anchor.current = index;
    onSelectionChange(toggled(selection ?? new Set(), rowKey(row)));
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2);
    const control = event.ctrlKey || event.metaKey;
    const action = keyInTable(
      { key: event.key, shift: event.shiftKey, control, alt: event.altKey },
      { cursor: at, count: source.count, page, letters },
    );
    if (action === null || (action.kind === 'all' && props.onSelectAll === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    const row = source.row(at);
    if (action.kind === 'move') moveTo(action.to, action.extend);
    else if (action.kind === 'all') props.onSelectAll?.();
    else if (action.kind === 'toggle') toggle(at);
    else if (action.kind === 'open' && row !== undefined) props.onOpen?.(row);
    else if (action.kind === 'peek' && row !== undefined) props.onPeek?.(row);
  };
  const click = (event: MouseEvent, index: number) => {
    if (event.shiftKey) moveTo(index, true);
    else {
      if (event.ctrlKey || event.metaKey) toggle(index);
      moveTo(index, false);
    }
  };

  const selectable = onSelectionChange !== undefined;
  const template = `${selectable ? '32px ' : ''}${sizes.template}`;
  const drawn = at >= from && at < to;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={source.count + 1}
      aria-colcount={columns.length}
      aria-multiselectable={selectable}
      aria-busy={isBusy}
      {...(drawn ? { 'aria-activedescendant': `${id}-${at}` } : {})}
      tabIndex={0}
      className={styles['grid']}
      style={
        { '--columns': template, '--min-width': `${sizes.minWidth + (selectable ? 32 : 0)}px` } as Record<
          string,
          string
        >
      } // custom properties are not in React's style type
      onKeyDown={press}
    >
      <HeaderRow columns={columns} sizes={sizes} sort={sort} onSort={onSort} selectable={selectable} />
      {source.count === 0 && empty !== undefined ? (
        <div role="rowgroup" className={styles['empty']}>
          <div role="row">
            <div role="gridcell">{empty}</div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className={cx(styles['body'])} style={{ height: rows.getTotalSize() }}>
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
                isSelected={selectable ? row !== undefined && (selection?.has(rowKey(row)) ?? false) : null}
                tone={row === undefined ? undefined : rowTone?.(row)}
                onClick={click}
                onToggle={toggle}
                onOpen={props.onOpen}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}

function keysBetween<Row>(source: RowSource<Row>, rowKey: (row: Row) => string, a: number, b: number): string[] {
  const keys: string[] = [];
  for (let index = Math.min(a, b); index <= Math.max(a, b); index += 1) {
    const row = source.row(index);
    if (row !== undefined) keys.push(rowKey(row));
  }
  return keys;
}

function toggled(selection: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selection);
  if (!next.delete(key)) next.add(key);
  return next;
}
