/** What a table can be sorted by, in words. */
import type { TableColumn, TableSort } from './types.ts';

export interface SortChoice {
  /** Of the column. */
  readonly id: string;
  readonly title: string;
  /** How the rows are ordered by it at this moment; `null`: they are not. */
  readonly now: Direction | null;
  /** How they are once it is chosen: the one that holds now is turned around. */
  readonly next: Direction;
}

type Direction = 'ascending' | 'descending';

/** In the order of the columns. */
export function sortChoices(
  columns: readonly Pick<TableColumn<never>, 'id' | 'title' | 'sortable'>[],
  sort: TableSort | null,
): readonly SortChoice[] {
  return columns
    .filter(({ sortable }) => sortable === true)
    .map(({ id, title }) => ({ id, title, ...directions(sort?.column === id ? sort : null) }));
}

function directions(sort: TableSort | null): Pick<SortChoice, 'now' | 'next'> {
  if (sort === null) return { now: null, next: 'ascending' };
  return sort.descending ? { now: 'descending', next: 'ascending' } : { now: 'ascending', next: 'descending' };
}
