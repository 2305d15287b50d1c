/** What a key means in the command line: pure, so that it can be tested without a page. */

export type LineAct =
  | { readonly kind: 'run' | 'search' | 'complete' | 'shut' | 'close' | 'ghost' }
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
  /** The rest of an earlier line stands behind the caret. */
  readonly hasGhost: boolean;
}

export function actOfKey(
  { key, ctrl, shift, other }: LineKey,
  { isOpen, picked, count, hasText, hasGhost }: PopupFacts,
): LineAct | null {
  if (other) return null;
  if (ctrl) return withControl(key);
  if (key === 'Enter') return isOpen && picked >= 0 ? { kind: 'take', index: picked } : { kind: 'run' };
  if (key === 'Escape') return isOpen ? { kind: 'shut' } : { kind: 'close' };
  // Without an open list, Tab leaves the line as everywhere.
  if (key === 'Tab' && !shift) return isOpen && hasText ? { kind: 'take', index: Math.max(0, picked) } : null;
  if (key === 'ArrowDown') return isOpen ? { kind: 'pick', index: (picked + 1) % count } : { kind: 'walk', by: -1 };
  if (key === 'ArrowUp') return isOpen && picked >= 0 ? { kind: 'pick', index: picked - 1 } : { kind: 'walk', by: 1 };
  return hasGhost && !shift && (key === 'ArrowRight' || key === 'End') ? { kind: 'ghost' } : null;
}

function withControl(key: string): LineAct | null {
  if (key === 'r') return { kind: 'search' };
  if (key === ' ') return { kind: 'complete' };
  return key === 'Enter' ? { kind: 'run' } : null;
}
