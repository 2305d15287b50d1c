import type { ReactNode } from 'react';

/** Rows by position. The table asks for ranges and shows skeletons for what is not there yet. */
export interface RowSource<Row> {
  /** How many rows there are, loaded or not. */
  readonly count: number;
  row(index: number): Row | undefined;
  /** Told whenever other rows come into view; `to` is exclusive. */
  want(from: number, to: number): void;
}

export interface TableColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** Width in pixels; it grows in proportion while there is room, and is the least. */
  readonly width: number;
  /** Its share of the room that is left, beside the widths of the others; 0 keeps it at `width`. Left out: `width`. */
  readonly grows?: number;
  /** A person gave it this width: it does not grow. */
  readonly isFixed?: boolean;
  /** It is left out while the table is too narrow for all; the highest goes first. Left out, it always stays. */
  readonly yields?: number;
  readonly sortable?: boolean;
  readonly align?: 'start' | 'end';
  /** `name` is the strong first column, `mono` for addresses and ids. */
  readonly look?: 'plain' | 'name' | 'mono' | 'dim';
  /** It stays at the left while the others scroll sideways; pinned columns come first. */
  readonly isPinned?: boolean;
  /** Neighbours with the same band stand under it, with titles of up to two lines. */
  readonly band?: string;
  readonly cell: (row: Row) => ReactNode;
}

export interface TableSort {
  readonly column: string;
  readonly descending: boolean;
}

/** What a person can do in the table beside looking. */
export interface TableActions<Row> {
  /** Enter or double click. */
  readonly onOpen?: (row: Row) => void;
  /** Space. */
  readonly onPeek?: (row: Row) => void;
  /** The cursor moved to another row; `undefined` while it is not loaded. */
  readonly onCursor?: (row: Row | undefined, index: number) => void;
  /** Ctrl+A: all rows, also those that are not loaded, are the caller's business. */
  readonly onSelectAll?: () => void;
  /** A row is dragged: what it stands for goes into the transfer. Left out, rows cannot be dragged. */
  readonly onDrag?: ((row: Row, transfer: DataTransfer) => void) | undefined;
}
