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

function gives(column: Sized | null): number {
  return column?.yields ?? 0;
}
