/** Targets from a file: lines, the first column of CSV, or JSON lines. */
import { createReadStream } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';

import { usage } from './faults.ts';
import type { CliHost } from './host.ts';

const headers = /^"?(?:guid|connector_guid|hostname|name|group_guid|id)"?$/i;

/** Throws `usage` for a file that cannot be read or holds nothing. */
export async function readTargets(host: CliHost, file: string): Promise<readonly string[]> {
  const targets = targetsIn(await readText(host, file, 'targets'));
  if (targets.length === 0)
    throw usage(
      `${file === '-' ? 'Standard input' : file} holds no target`,
      'write one GUID or name a line',
      'targets',
    );
  return targets;
}

export async function readText(host: CliHost, file: string, field: string): Promise<string> {
  try {
    return await textOf(file === '-' ? host.stdin : createReadStream(file));
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';
    throw usage(`${file} cannot be read (${why})`, 'name a file that is there', field);
  }
}

/** Pure. Empty lines and those that begin with # are left out. */
export function targetsIn(text: string): readonly string[] {
  const lines = text
    .replace(/^\u{feff}/u, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const found = lines.map(targetOf);
  const [first = ''] = found;
  return headers.test(first) ? found.slice(1) : found;
}

function targetOf(line: string): string {
  if (line.startsWith('{')) return guidIn(line);
  const [, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^,;\t]*))/.exec(line) ?? [];
  return (quoted?.replaceAll('""', '"') ?? plain ?? '').trim();
}

function guidIn(line: string): string {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record !== 'object' || record === null) return line;
    for (const name of ['connector_guid', 'guid', 'id']) {
      const value: unknown = Reflect.get(record, name);
      if (typeof value === 'string') return value;
    }
  } catch {
    // Said by the plan, with the line itself.
  }
  return line;
}
