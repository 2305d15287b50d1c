/** The texts of the modules that hold texts alone, so that a change of a word shows in review. */
import { readFileSync } from 'node:fs';

import { parseSync, Visitor } from 'vite';

interface Found {
  readonly at: number;
  readonly text: string;
}

/** Whether a file holds texts alone: `shared/text/`, `text.ts`, and the modules of words. */
export function isTextModule(path: string): boolean {
  return (
    !path.includes('.test.') &&
    (/^shared\/text\/[a-z-]+\.ts$/.test(path) || /^renderer\/(?:.*\/)?(?:text|[a-z-]*words)\.ts$/.test(path))
  );
}

/** Each text of a module in its order, with `…` where a value stands. Names in the code have no space and are none. */
export function textsOf(path: string, code: string): readonly string[] {
  const found: Found[] = [];
  const note = (at: number, raw: string): void => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    if (/^\p{Lu}\p{L}+$/u.test(text) || (text.includes(' ') && /\p{L}{2}/u.test(text))) found.push({ at, text });
  };
  const { program } = parseSync(path, code);
  const body = program.body.filter(({ type }) => type !== 'ImportDeclaration');
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && note(node.start, node.value),
    TemplateLiteral: (node) => note(node.start, node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')),
  }).visit({ ...program, body });
  return found.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
}

export function textsMarkdown(root: URL, paths: readonly string[]): string {
  const parts = paths.flatMap((path) => {
    const texts = textsOf(path, readFileSync(new URL(path, root), 'utf8'));
    return texts.length === 0 ? [] : [`## ${path}\n\n${texts.map((text) => `- ${inMarkdown(text)}`).join('\n')}\n`];
  });
  return `# Texts\n\nGenerated from the modules that hold texts alone. \`…\` stands for a value.\n\n${parts.join('\n')}`;
}

function inMarkdown(text: string): string {
  return text.replaceAll(/([\\`*_[\]<>#|])/g, '\\$1');
}
