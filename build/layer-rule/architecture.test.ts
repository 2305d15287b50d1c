import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

/** The cells of a Markdown table, without the blanks and dashes that formatting decides. */
function cells(table: string): readonly string[] {
  const rows = table.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line));
  return rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .join('|'),
  );
}

test('the table in ARCHITECTURE.md is the one that is enforced', () => {
  const [, written = ''] = read('../../ARCHITECTURE.md').split(/<!-- layer-table:(?:begin|end) -->/);
  const printed = execFileSync(process.execPath, [fileURLToPath(new URL('print.mjs', import.meta.url))], {
    encoding: 'utf8',
  });
  expect(cells(printed).length).toBeGreaterThan(30);
  expect(cells(written), 'put the output of "node build/layer-rule/print.mjs" between the markers').toEqual(
    cells(printed),
  );
});
