import { fold } from '#shared/model/fold.ts';

interface Suggested {
  readonly value: string;
  readonly label: string;
}

/** Those of an earlier answer that answer to a longer text as well. */
export function stillFitting<T extends Suggested>(before: readonly T[] | undefined, text: string): T[] | undefined {
  const typed = fold(text);
  return before?.filter(({ value, label }) => fold(label).includes(typed) || fold(value).startsWith(typed));
}
