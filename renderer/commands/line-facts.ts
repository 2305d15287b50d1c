/** What stands under a line that could be run: what it reads or changes, and what that costs. Pure. */
import type { ParsedLine } from '#shared/commands/parse.ts';
import type { ChangeAnswer } from '#shared/contract/guards.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

export interface LineFacts {
  readonly words: string;
  /** It would be refused, whatever is confirmed. */
  readonly isRefused: boolean;
}

/** The service gives no more records in one answer. */
const recordsOfCall = 500;

/** `matches`: computers of the local copy that the line is about, where it can be told. */
export function readFacts({ args, options, spec }: ParsedLine, matches: number | undefined): LineFacts | null {
  if (spec?.risk !== 'read') return null;
  const found = matches === undefined ? [] : [`${formatCount(matches)} in local data match`];
  return {
    words: ['Reads', ...found, costOf(args, options, spec.paged === true, matches)].join(' · '),
    isRefused: false,
  };
}

function costOf(
  args: ParsedLine['args'],
  { all, wait }: ParsedLine['options'],
  isPaged: boolean,
  matches: number | undefined,
): string {
  if (wait !== undefined) return 'asks until it is so, or the time is over';
  if (isPaged && all === true)
    return matches === undefined ? 'a call for each page of it' : `about ${callsWords(matches)}`;
  const limit = Number(args['limit'] ?? 0);
  return isPaged && limit > 0 ? callsWords(limit) : '1 call';
}

function callsWords(records: number): string {
  const calls = Math.max(1, Math.ceil(records / recordsOfCall));
  return `${counted(calls, nouns.call)}`;
}

/** `refusal`: why nothing is changed through this connection now. */
export function changeFacts(
  { spec }: ParsedLine,
  refusal: string | null,
  answer: ChangeAnswer | undefined,
): LineFacts | null {
  if (spec === undefined || spec.risk === 'read') return null;
  if (refusal !== null) return { words: `Changes: ${spec.title} · refused. ${refusal}`, isRefused: true };
  if (answer === undefined) return { words: `Changes: ${spec.title} · asks before it is sent`, isRefused: false };
  const { judgement, price, target } = answer;
  const about = `Changes: ${spec.title}${target === null ? '' : ` · ${target.label}`}`;
  const no = judgement.refused?.message ?? judgement.protected[0]?.message;
  if (no !== undefined) return { words: `${about} · refused. ${no}`, isRefused: true };
  return {
    words: `${about} · ${callsWords(price.calls * recordsOfCall)} at most · asks before it is sent`,
    isRefused: false,
  };
}
