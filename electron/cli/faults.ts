import { CordonError } from '#shared/contract/errors.ts';

/** A fault in what was typed, with the way out. */
export function usage(message: string, fix: string, field?: string): CordonError {
  return new CordonError('usage', `${message}: ${fix}.`, { fix, ...(field === undefined ? {} : { field }) });
}

/** A typed word in a message. */
export function shown(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}
