import type { CompletionSource } from '../commands/define.ts';

export interface FilterSuggestion {
  /** Replaces the text between `from` and `to`. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

export interface FilterSuggestions {
  readonly from: number;
  readonly to: number;
  /** Fields and fixed values that may stand here. */
  readonly items: readonly FilterSuggestion[];
  /** Ask the local copy for values with this prefix; each goes through `insertOf`. */
  readonly ask: { readonly source: CompletionSource; readonly prefix: string } | null;
  /** The replacement for a value of the local copy, quoted where it must be. */
  readonly insertOf: (value: string) => string;
}

/** What may come at the caret: field names at the start of a term, values behind its operator. */
export function filterSuggestions(_text: string, _caret: number): FilterSuggestions {
  throw new Error('not written yet');
}
