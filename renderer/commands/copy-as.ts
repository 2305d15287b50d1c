/** The forms in which a computer of the list is copied: pure, so that they can be tested without a page. */
import { formatLine } from '#shared/commands/parse.ts';
import { csvOf } from '#shared/commands/table.ts';
import {
  computerColumns,
  computerColumnTitles,
  type ComputerColumn,
  type ComputerRow,
} from '#shared/model/computer.ts';
import { isolationGlances } from '#shared/model/isolation.ts';

export interface CopyForm {
  readonly id: 'guid' | 'name' | 'csv' | 'json' | 'command';
  readonly title: string;
  readonly text: string;
}

/** `columns` are those of the CSV, in their order; ids that are not known are left out. */
export function copyForms(row: ComputerRow, columns: readonly string[]): readonly CopyForm[] {
  const known = columns.flatMap((id) => computerColumns.filter((column) => column === id));
  const table = {
    columns: known.map((column) => computerColumnTitles[column]),
    rows: [known.map((column) => cells[column](row))],
  };
  const line = formatLine('svc_get_computer_by_connector', { connector_guid: row.guid });
  return [
    { id: 'guid', title: 'GUID', text: row.guid },
    { id: 'name', title: 'Name', text: row.hostname },
    { id: 'csv', title: 'CSV with its header', text: csvOf(table) },
    { id: 'json', title: 'JSON', text: JSON.stringify(row, null, 2) },
    { id: 'command', title: 'Command', text: `!${line}` },
  ];
}

const cells: Readonly<Record<ComputerColumn, (row: ComputerRow) => string>> = {
  hostname: (row) => row.hostname,
  group: (row) => row.groupName,
  policy: (row) => row.policyName,
  os: (row) => row.os,
  connector: (row) => row.connectorVersion,
  last_seen: (row) => row.lastSeen ?? '',
  internal_ip: (row) => row.internalIps.join(', '),
  external_ip: (row) => row.externalIp,
  mac: (row) => row.macs.join(', '),
  isolation: (row) => isolationGlances[row.isolation].word,
  compromised: (row) => (row.compromised ? 'yes' : 'no'),
  installed: (row) => row.installDate ?? '',
  guid: (row) => row.guid,
};
