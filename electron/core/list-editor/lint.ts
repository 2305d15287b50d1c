/** What speaks against a staged change, row by row (UX research 3.6 and SR15). Pure: facts come in. */
import { emptyFileHash } from '#shared/model/file-hash.ts';
import { isSha256 } from '#shared/model/formats.ts';
import type { DraftRow, LintKind, LintLevel, LintMark, ListOperation } from '#shared/model/list-draft.ts';

/** How long a note may be is not documented (API reference, "File lists": maximum not found). */
export const usualNote = 255;

/** What is known of all hashes of a draft; keys are lower case. */
export interface LintFacts {
  /** Those that are on the list itself. */
  readonly here: ReadonlySet<string>;
  /** All items of the list were read. */
  readonly listRead: boolean;
  readonly elsewhere: ReadonlyMap<string, readonly { readonly name: string; readonly otherKind: boolean }[]>;
  readonly seen: ReadonlyMap<string, { readonly computers: number; readonly dispositions: readonly string[] }>;
  /** Asked of the service. */
  readonly prevalence: ReadonlyMap<string, number>;
  /** From this many computers on a file is a common one. */
  readonly prevalentFrom: number;
  /** Files of this computer's own system, by hash. */
  readonly systemFiles: ReadonlyMap<string, string>;
}

export interface StagedRow {
  readonly key: string;
  readonly operation: ListOperation;
  readonly note: string;
  readonly source: string;
  readonly place: string | null;
  readonly given: number;
  readonly reason: string | null;
  readonly result: string | null;
}

const order: readonly LintLevel[] = ['refused', 'red', 'amber', 'idle', 'plain'];

export function linted(row: StagedRow, facts: LintFacts): DraftRow {
  const sha256 = isSha256(row.key) ? row.key : null;
  const marks = [...(sha256 === null ? [noHash(row.key)] : marksOf(sha256, row, facts)), ...noteMarks(row)];
  const own = { ...row, sha256, marks, prevalence: facts.prevalence.get(row.key) ?? null };
  return { ...own, verdict: verdictOf(marks, row.reason) };
}

function verdictOf(marks: readonly LintMark[], reason: string | null): DraftRow['verdict'] {
  const worst = order.find((level) => marks.some((one) => one.level === level));
  if (worst === undefined || worst === 'plain') return 'ready';
  // Nothing to do stays nothing to do, however bad the hash is.
  if (worst !== 'refused' && marks.some(({ level }) => level === 'idle')) return 'idle';
  return worst === 'red' && reason !== null ? 'ready' : worst;
}

function noHash(text: string): LintMark {
  if (/^[0-9a-f]{40}$/i.test(text)) return refused('sha1', 'This is a SHA-1: the service takes SHA-256 only.');
  if (/^[0-9a-f]{32}$/i.test(text)) return refused('md5', 'This is an MD5: the service takes SHA-256 only.');
  const length = /^[0-9a-f]+$/i.test(text) ? ` It has ${text.length} digits; a SHA-256 has 64.` : '';
  return refused('not_a_hash', `This is no SHA-256.${length}`);
}

function marksOf(sha256: string, row: StagedRow, facts: LintFacts): readonly LintMark[] {
  const repeated: LintMark[] =
    row.given > 1 ? [mark('duplicate', 'plain', `It was given ${row.given} times and counts once.`)] : [];
  return row.operation === 'add'
    ? [...repeated, ...addMarks(sha256, facts)]
    : [...repeated, ...removeMarks(sha256, facts)];
}

function addMarks(sha256: string, facts: LintFacts): readonly LintMark[] {
  return [
    ...fixedMarks(sha256),
    ...(facts.here.has(sha256) ? [mark('already_there', 'idle', 'It is on the list already.')] : []),
    ...(facts.listRead ? [] : [unread]),
    ...elsewhereMarks(sha256, facts),
    ...harmlessMarks(sha256, facts),
  ];
}

function removeMarks(sha256: string, facts: LintFacts): readonly LintMark[] {
  if (facts.here.has(sha256)) return [];
  return facts.listRead ? [mark('not_there', 'idle', 'It is not on the list.')] : [unread];
}

const unread = mark('list_unread', 'plain', 'The list was not read to its end: whether it is there is not known.');

function fixedMarks(sha256: string): readonly LintMark[] {
  if (sha256 === emptyFileHash)
    return [refused('empty_file', 'This is the hash of the empty file: it would block harmless files everywhere.')];
  if (/^(.)\1{63}$/.test(sha256)) return [refused('placeholder', 'One digit repeated: this is a placeholder.')];
  return [];
}

function elsewhereMarks(sha256: string, facts: LintFacts): readonly LintMark[] {
  const lists = facts.elsewhere.get(sha256) ?? [];
  return [...Map.groupBy(lists, ({ otherKind }) => otherKind)].map(([otherKind, of]) => {
    const names = of.map(({ name }) => name).join(', ');
    return otherKind
      ? mark('other_kind', 'amber', `It is on a list of the other kind: ${names}.`)
      : mark('other_list', 'plain', `It is on ${names} too.`);
  });
}

/** What a hash of harmless files looks like. */
function harmlessMarks(sha256: string, facts: LintFacts): readonly LintMark[] {
  const marks: LintMark[] = [];
  const seen = facts.seen.get(sha256);
  if (seen?.dispositions.some((word) => word.toLowerCase() === 'clean') === true)
    marks.push(mark('seen_clean', 'red', 'Stored events call this file clean.'));
  const computers = Math.max(seen?.computers ?? 0, facts.prevalence.get(sha256) ?? 0);
  if (computers >= facts.prevalentFrom)
    marks.push(mark('prevalent', 'red', `It was seen on ${computers.toLocaleString('en')} computers.`));
  const path = facts.systemFiles.get(sha256);
  if (path !== undefined) marks.push(mark('system_file', 'red', `This computer's own system has this file: ${path}.`));
  return marks;
}

function noteMarks({ note }: StagedRow): readonly LintMark[] {
  if (note.length <= usualNote) return [];
  return [
    mark('long_note', 'amber', `The note has ${note.length} characters; how many the service takes is not known.`),
  ];
}

function refused(kind: LintKind, message: string): LintMark {
  return mark(kind, 'refused', message);
}

function mark(kind: LintKind, level: LintLevel, message: string): LintMark {
  return { kind, level, message };
}
