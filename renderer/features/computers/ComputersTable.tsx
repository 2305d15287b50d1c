import { useMemo } from 'react';

import { describeComputer, readColumns, writeColumns, type ComputerRow } from '#shared/model/computer.ts';

import { useUi } from '../../state/ui.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { areDefault, columnsOf } from './columns.tsx';
import styles from './ComputersScreen.module.css';
import { NoRows } from './ListStates.tsx';
import { t } from './text.ts';
import type { ComputersList } from './use-list.ts';

interface ComputersTableProps {
  readonly list: ComputersList;
  readonly onOpen: (row: ComputerRow) => void;
}

/** The rows, with the columns of the view or of the list without one. */
export function ComputersTable({ list, onOpen }: ComputersTableProps) {
  const { rows, search, change, views, question, filter, selection, cursor } = list;
  const setLastCommand = useUi((ui) => ui.setLastCommand);
  // Beside the side panel, and as long as nobody chose them, columns give way; chosen ones can be scrolled to.
  const yielding = search.peek !== undefined || areDefault(views.columns);
  const columns = useMemo(() => columnsOf(views.columns, yielding), [views.columns, yielding]);
  const all = rows.newest?.all ?? 0;
  return (
    <div className={styles['table']} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
      <DataTable
        key={views.current?.id ?? ''}
        label={t.computers}
        source={rows.source}
        columns={columns}
        rowKey={(row) => row.guid}
        describe={describeComputer}
        sort={question.sort}
        onSort={list.sortBy}
        selection={selection.asSet}
        onSelectionChange={selection.replace}
        onSelectionInView={list.setInView}
        onSelectAll={() => void list.selectAll()}
        onOpen={onOpen}
        onPeek={(row) => change({ peek: row.guid === search.peek ? undefined : row.guid })}
        onCursor={(row) => {
          cursor.set(row?.guid);
          if (row === undefined) return;
          setLastCommand(`svc_get_computer_by_connector connector_guid=${row.guid}`);
          if (search.peek !== undefined) change({ peek: row.guid });
        }}
        onWidths={(widths) => views.setColumns(withWidths(views.columns, widths))}
        rowTone={(row) => (row.vanishedAt === null ? undefined : 'struck')}
        isBusy={rows.isBusy}
        empty={<NoRows error={rows.error} onRetry={rows.retry} filter={filter} all={all} />}
        handle={list.table}
      />
    </div>
  );
}

function withWidths(columns: readonly string[], widths: Readonly<Record<string, number>>): readonly string[] {
  return writeColumns(readColumns(columns).map(({ column, width }) => ({ column, width: widths[column] ?? width })));
}
