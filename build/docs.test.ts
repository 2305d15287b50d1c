import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/acceptance.md',
  'docs/tour.md',
];
/** A name in backticks is a file of the checkout when it begins like one. */
const ours = /^(?:\.ci|build|docs|e2e|electron|renderer|shared)\//;

/** Paths that a document names, as links and in backticks, relative to the checkout. */
function named(document: string): readonly string[] {
  // Code blocks hold commands, not names.
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const markdown = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const pictures = [...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].map(([, target = '']) => target);
  const links = [...markdown, ...pictures];
  const local = links.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(document), target));
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name).filter((name) => ours.test(name));
  return [...local, ...quoted.flatMap(spread)];
}

/** `a/{b,c}/` is two names; `a/*` and `a/<name>/` stand for anything in `a/`. */
function spread(name: string): readonly string[] {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(name);
  if (braces !== null) return (braces[2] ?? '').split(',').flatMap((one) => spread(`${braces[1]}${one}${braces[3]}`));
  return [name.replace(/[^/]*[*<].*$/, '')];
}

describe.each(documents)('%s', (document) => {
  test('names only files that exist', () => {
    const names = named(document);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});

test('every picture is shown somewhere', () => {
  const text = documents.map((document) => readFileSync(join(root, document), 'utf8')).join('\n');
  const pictures = readdirSync(join(root, 'docs', 'images')).filter((name) => !name.endsWith('-dark.png'));
  expect(pictures.filter((name) => !text.includes(name) && !text.includes(name.replace('-light', '-dark')))).toEqual(
    [],
  );
});

test('the last table of SECURITY.md names a file and a test in each row', () => {
  const [, part = ''] = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('## Rule, place, proof');
  const lines = part.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line));
  const rows = lines.slice(1).map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/`/.test(row[2] ?? '') || !/\.(?:test|spec)\.ts`/.test(row[3] ?? ''))).toEqual([]);
});
