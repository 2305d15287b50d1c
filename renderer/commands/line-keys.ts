/** What a key means in the command line: pure, so that it can be tested without a page. */

export type LineAct =
  | { readonly kind: 'run' | 'search' | 'complete' | 'shut' | 'close' }
  | { readonly kind: 'take' | 'pick'; readonly index: number }
  /** 1 is to an older line. */
  | { readonly kind: 'walk'; readonly by: 1 | -1 };

export interface LineKey {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  /** Meta or Alt. */
  readonly other: boolean;
}

export interface PopupFacts {
  readonly isOpen: boolean;
  /** -1 while none is picked. */
  readonly picked: number;
  readonly count: number;
  readonly hasText: boolean;
}

export function actOfKey(
  { key, ctrl, shift, other }: LineKey,
  { isOpen, picked, count, hasText }: PopupFacts,
): LineAct | null {
  if (other) return null;
  if (ctrl) return key === 'r' ? { kind: 'search' } : key === ' ' ? { kind: 'complete' } : null;
  if (key === 'Enter') return isOpen && picked >= 0 ? { kind: 'take', index: picked } : { kind: 'run' };
  if (key === 'Escape') return isOpen ? { kind: 'shut' } : { kind: 'close' };
  // Without an open list, Tab leaves the line as everywhere.
  if (key === 'Tab' && !shift) return isOpen && hasText ? { kind: 'take', index: Math.max(0, picked) } : null;
  if (key === 'ArrowDown') return isOpen ? { kind: 'pick', index: (picked + 1) % count } : { kind: 'walk', by: -1 };
  if (key === 'ArrowUp') return isOpen && picked >= 0 ? { kind: 'pick', index: picked - 1 } : { kind: 'walk', by: 1 };
  return null;
}
