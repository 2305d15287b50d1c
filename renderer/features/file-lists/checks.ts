/** What speaks for and against putting a hash on a list, before anything is sent: pure. */
import type { FileListRow, KnownHash } from '#shared/contract/directory.ts';
import { commonContent, readFileHash } from '#shared/model/file-hash.ts';

import { formatCount } from '../../ui/time.ts';
import { isBlocking, itemsKnown, kindWords, percentOf } from './words.ts';

export interface Finding {
  /** `refused`: it is not sent. `danger`: only after a typed confirmation. */
  readonly level: 'refused' | 'danger' | 'warning' | 'note' | 'good';
  readonly text: string;
}

export interface CheckInput {
  /** As it was typed. */
  readonly hash: string;
  readonly list: FileListRow | undefined;
  /** `undefined` until the local copy has answered. */
  readonly known: KnownHash | undefined;
  /** How many computers have seen it, as the service says; `null`: not asked. */
  readonly prevalence: number | null;
  /** All computers of the local copy. */
  readonly computers: number | null;
}

/** From so large a share of all computers on, a file is taken for one of the system. */
const wideShare = 0.05;
const wideLeast = 4;

/** From the gravest on. Empty as long as there is no hash to judge. */
export function findingsOf({ hash, list, known, prevalence, computers }: CheckInput): readonly Finding[] {
  const read = readFileHash(hash);
  if (read.kind === 'nothing') return [];
  if (read.kind === 'problem') return [{ level: 'refused', text: read.message }];
  const found = [
    ...contentFindings(read.value),
    ...placeFindings(list, known),
    ...seenFindings(list, known),
    ...prevalenceFindings(prevalence, computers),
    ...effectFindings(list),
  ];
  const order = levels.indexOf.bind(levels);
  return found.toSorted((a, b) => order(a.level) - order(b.level));
}

const levels: readonly Finding['level'][] = ['refused', 'danger', 'warning', 'note', 'good'];

export function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'refused');
}

/** Whether it needs a typed confirmation. */
export function isDangerous(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'danger');
}

function contentFindings(sha256: string): readonly Finding[] {
  const common = commonContent(sha256);
  if (common === null) return [];
  return common.refused
    ? [{ level: 'refused', text: `This is the hash of ${common.what}, which is on every computer. It is not sent.` }]
    : [{ level: 'danger', text: `This is the hash of ${common.what}: such files are on almost every computer.` }];
}

/** On this list already, on others of the same meaning, or on one of the opposite. */
function placeFindings(list: FileListRow | undefined, known: KnownHash | undefined): readonly Finding[] {
  if (list === undefined || known === undefined) return [];
  const own = known.holding.find((held) => held.list.guid === list.guid);
  const others = known.holding.filter((held) => held.list.guid !== list.guid && held.list.vanishedAt === null);
  const opposite = others.filter((held) => isBlocking(held.list.type) !== isBlocking(list.type));
  const same = others.filter((held) => isBlocking(held.list.type) === isBlocking(list.type));
  const note = own === undefined || own.item.description === '' ? '' : `, with the note “${own.item.description}”`;
  return [
    ...(list.vanishedAt === null ? [] : [refused('This list was deleted elsewhere.')]),
    ...(own === undefined ? [] : [refused(`It is on this list already${note}: there is nothing to do.`)]),
    ...opposite.map((held): Finding => ({
      level: 'danger',
      text: `It is on ${held.list.name}, a list of ${kindWords(held.list.type).one}: the two contradict each other.`,
    })),
    ...(same.length === 0 ? [] : [noted(`It is also on ${same.map((held) => held.list.name).join(', ')}.`)]),
    ...(own === undefined && itemsKnown(list) !== 'whole'
      ? [noted('Not all hashes of this list were read here: if it is on it already, the service says so.')]
      : []),
  ];
}

function refused(text: string): Finding {
  return { level: 'refused', text };
}

function noted(text: string): Finding {
  return { level: 'note', text };
}

function seenFindings(list: FileListRow | undefined, known: KnownHash | undefined): readonly Finding[] {
  if (known === undefined) return [];
  const { computers, names, dispositions } = known.seen;
  if (computers === 0) return [noted('No stored event names it.')];
  const called = names.length === 0 ? '' : ` as ${named(names)}`;
  const seen = noted(`Stored events name it on ${formatCount(computers)} ${computersWord(computers)}${called}.`);
  const clean = dispositions.some((word) => word.toLowerCase() === 'clean');
  if (!clean || (list !== undefined && !isBlocking(list.type))) return [seen];
  return [{ level: 'danger', text: `Stored events call this file clean${called}.` }, seen];
}

function named(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} other names` : names.join(', ');
}

function prevalenceFindings(prevalence: number | null, computers: number | null): readonly Finding[] {
  if (prevalence === null) return [];
  if (prevalence === 0) return [{ level: 'good', text: 'The service says that no computer has seen it.' }];
  const share = computers === null || computers === 0 ? null : prevalence / computers;
  const of =
    computers === null || share === null ? '' : ` of ${formatCount(computers)} (${percentOf(prevalence, computers)})`;
  const text = `The service says that ${formatCount(prevalence)}${of} ${computersWord(prevalence)} have seen it`;
  return share !== null && share >= wideShare && prevalence >= wideLeast
    ? [{ level: 'danger', text: `${text}: that looks like a file of the system.` }]
    : [noted(`${text}.`)];
}

function computersWord(count: number): string {
  return count === 1 ? 'computer' : 'computers';
}

function effectFindings(list: FileListRow | undefined): readonly Finding[] {
  if (list === undefined) return [];
  if (list.covered === null) return [noted('How many computers enforce this list is not known yet.')];
  if (list.covered === 0)
    return [
      { level: 'warning', text: 'No computer enforces this list: nothing follows from it until a policy uses it.' },
    ];
  return [
    noted(`${formatCount(list.covered)} ${list.covered === 1 ? 'computer enforces' : 'computers enforce'} this list.`),
  ];
}
