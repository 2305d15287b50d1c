import { createContext, useCallback, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';

import type { CordonError, ErrorReport } from '#shared/contract/errors.ts';

import { isSameCause } from './error-words.ts';

interface Telling {
  /** What the frame has to tell. */
  readonly cause: ErrorReport | null;
  /** What can be done about it, such as a button to replace the key. */
  readonly remedy: ((size: 'small' | 'medium') => ReactNode) | null;
  /** How many places of the screen tell it now. */
  readonly places: number;
  enter(): () => void;
}

const TellingContext = createContext<Telling | null>(null);

interface TellingProviderProps extends Pick<Telling, 'cause' | 'remedy'> {
  readonly children: ReactNode;
}

/** One cause is told once: where a screen tells in its own place what the frame would tell, the frame stays silent. */
export function TellingProvider({ cause, remedy, children }: TellingProviderProps) {
  const [places, setPlaces] = useState(0);
  const enter = useCallback(() => {
    setPlaces((count) => count + 1);
    return () => setPlaces((count) => count - 1);
  }, []);
  const value = useMemo(() => ({ cause, remedy, places, enter }), [cause, remedy, places, enter]);
  return <TellingContext value={value}>{children}</TellingContext>;
}

/** For what stands in place of a screen's rows or above them: tells the frame's cause instead of the frame, with its remedy. */
export function useTelling(error: CordonError | ErrorReport | null | undefined): Telling['remedy'] {
  const telling = useContext(TellingContext);
  const enter = telling?.enter;
  const isSame = isSameCause(telling?.cause, error);
  useLayoutEffect(() => (isSame ? enter?.() : undefined), [isSame, enter]);
  return isSame ? (telling?.remedy ?? null) : null;
}

/** Whether the screen tells the frame's cause already. */
export function useIsToldInPlace(): boolean {
  return (useContext(TellingContext)?.places ?? 0) > 0;
}
