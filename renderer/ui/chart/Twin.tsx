import { useEffect, useRef } from 'react';

import { cx } from '../cx.ts';
import { t } from '../text.ts';
import styles from './Figure.module.css';
import type { TwinRow, TwinTable } from './view.ts';

export interface TwinProps {
  readonly title: string;
  readonly table: TwinTable;
  /** Of the picture that it stands in for: nothing jumps. */
  readonly height: number;
  readonly empty: string | null;
}

/** A picture as a table: names of rows do what the shapes do. */
export function Twin({ title, table, height, empty }: TwinProps) {
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was chosen in the picture is in view when the table takes its place.
    scroll.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'center' });
  }, []);
  if (empty !== null)
    return (
      <p className={styles['empty']} style={{ height }}>
        {empty}
      </p>
    );
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      style={{ height }}
      tabIndex={0}
      role="region"
      aria-label={t.asATableOf(title)}
    >
      <table className={styles['table']}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <Row key={row.key} row={row} columns={table.columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, columns }: { readonly row: TwinRow; readonly columns: readonly string[] }) {
  const { cells, isSelected = false, onPress } = row;
  const [name = '', ...rest] = cells;
  return (
    <tr className={cx(isSelected && styles['selected'])} {...(isSelected ? { 'data-chosen': true } : {})}>
      <th scope="row">
        {onPress === undefined ? (
          name
        ) : (
          <button
            type="button"
            className={styles['rowName']}
            {...(row.isSelected === undefined ? {} : { 'aria-pressed': isSelected })}
            onClick={(event) => onPress(event.shiftKey)}
          >
            {name}
          </button>
        )}
      </th>
      {rest.map((cell, index) => (
        <td key={columns[index + 1] ?? index}>{cell}</td>
      ))}
    </tr>
  );
}
