import type { TableColumn } from './types.ts';

type Sized = Pick<TableColumn<never>, 'id' | 'width' | 'yields'>;

/** The columns that a width in pixels has room for: those that yield go first, until the rest fits. */
export function columnsThatFit<Column extends Sized>(columns: readonly Column[], width: number): readonly Column[] {
  let kept = columns;
  for (;;) {
    const needed = kept.reduce((sum, column) => sum + column.width, 0);
    const next = kept.reduce<Column | null>((found, column) => (gives(column) > gives(found) ? column : found), null);
    if (needed <= width || next === null) return kept;
    kept = kept.filter((column) => column !== next);
  }
}

/** The widest share of the room that columns may keep for themselves while others scroll past them. */
const mostPinned = 0.5;

/** Where pinned columns would leave the others too little of a width in pixels, the last of them scroll as well. */
export function pinnedThatFit<Column extends Pick<TableColumn<never>, 'width' | 'isPinned'>>(
  columns: readonly Column[],
  width: number,
): readonly Column[] {
  const pinned = columns.filter(({ isPinned }) => isPinned === true);
  const needed = pinned.reduce((sum, column) => sum + column.width, 0);
  const last = pinned.at(-1);
  if (last === undefined || needed <= width * mostPinned) return columns;
  return pinnedThatFit(
    columns.map((column) => (column === last ? { ...column, isPinned: false } : column)),
    width,
  );
}

function gives(column: Sized | null): number {
  return column?.yields ?? 0;
}
