import { formatCount } from '#shared/text/numbers.ts';

/** Shorter fields are for numbers and the like: that no more fits is plain to see. */
const wordsFrom = 50;

/** What to say where nothing more fits into a field, as what is pasted is cut without a sound; `null` while it does. */
export function noRoomWords(value: string, maxLength: number | undefined): string | null {
  if (maxLength === undefined || maxLength < wordsFrom || value.length < maxLength) return null;
  return `The limit is ${formatCount(maxLength)} characters. The rest was cut off.`;
}
