import { fold } from '#shared/model/fold.ts';

/** A condition on `item`. */
interface Condition {
  readonly sql: string;
  readonly params: readonly string[];
  /** It looks at notes, and not at hashes alone. */
  readonly notes: boolean;
}

/**
 * Items whose hash begins with the text, or whose note holds every word of it; words between quotation marks belong
 * together. Nothing typed matches all.
 */
export function searchOf(text: string): Condition {
  const typed = fold(text).trim();
  if (typed === '') return { sql: '1', params: [], notes: false };
  const words = wordsOf(typed);
  const noted: Condition = {
    sql: words.map(() => 'instr(note_fold, ?) > 0').join(' AND '),
    params: words,
    notes: true,
  };
  if (!/^[0-9a-f]{1,64}$/.test(typed)) return noted;
  const begins: Condition = { sql: 'sha256 >= ? AND sha256 < ?', params: [typed, `${typed}g`], notes: false };
  // So many digits are no word.
  if (typed.length >= 9) return begins;
  return { sql: `((${begins.sql}) OR (${noted.sql}))`, params: [...begins.params, ...noted.params], notes: true };
}

function wordsOf(typed: string): readonly string[] {
  const words = [...typed.matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole);
  // A lone quotation mark is looked for as it is.
  return words.length === 0 ? [typed] : words;
}
