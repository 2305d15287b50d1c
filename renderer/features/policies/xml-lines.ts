/**
 * XML as lines that can be folded: pure, and without the browser's parser, which would have to be trusted with what a
 * service sends. It is for looking: the text stands there as it came, one tag or text a line.
 */

export interface XmlLine {
  /** From 0. */
  readonly level: number;
  readonly text: string;
  /** Index of the line that closes what this one opens; `null` when it opens nothing. */
  readonly end: number | null;
}

interface Draft {
  level: number;
  text: string;
  end: number | null;
}

/** Comments, sections and instructions are whole; `>` inside of quotes ends no tag. */
const pieces = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</g;

/** The lines of an XML text; what is no XML comes out as it is. */
export function xmlLines(text: string): readonly XmlLine[] {
  const lines: Draft[] = [];
  const open: number[] = [];
  for (const [piece] of text.matchAll(pieces)) {
    const content = piece.trim();
    if (content === '') continue;
    if (content.startsWith('</')) close(lines, open, content);
    else {
      lines.push({ level: open.length, text: content, end: null });
      if (isOpening(content)) open.push(lines.length - 1);
    }
  }
  return lines;
}

function isOpening(tag: string): boolean {
  return /^<[^!?/]/.test(tag) && !tag.endsWith('/>') && tag.endsWith('>');
}

/** `<a>text</a>` and `<a></a>` stand on one line. */
function close(lines: Draft[], open: number[], tag: string): void {
  const from = open.pop();
  const first = from === undefined ? undefined : lines[from];
  if (from === undefined || first === undefined) {
    lines.push({ level: 0, text: tag, end: null });
    return;
  }
  const inner = lines[from + 1];
  const isShort = inner === undefined || (!inner.text.startsWith('<') && inner.text.length < 200);
  if (isShort && lines.length - from <= 2) {
    first.text += `${inner?.text ?? ''}${tag}`;
    lines.length = from + 1;
    return;
  }
  first.end = lines.length;
  lines.push({ level: open.length, text: tag, end: null });
}

/** Indexes of the lines that are shown: what lies inside of a folded one is left out. */
export function shownLines(lines: readonly XmlLine[], folded: ReadonlySet<number>): readonly number[] {
  const shown: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    shown.push(index);
    const end = lines[index]?.end ?? null;
    if (end !== null && folded.has(index)) index = end;
  }
  return shown;
}

/** Indexes of the lines that hold a text, whatever its case. */
export function findLines(lines: readonly XmlLine[], text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []));
}

/** What has to be unfolded so that a line is seen. */
export function foldsAround(lines: readonly XmlLine[], folded: ReadonlySet<number>, index: number): readonly number[] {
  return [...folded].filter((from) => from < index && index <= (lines[from]?.end ?? -1));
}
