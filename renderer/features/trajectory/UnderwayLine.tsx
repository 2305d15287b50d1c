import type { ReactNode } from 'react';

import { useFromNow } from '../../ui/Clock.tsx';
import { ProgressLine } from '../../ui/ProgressLine.tsx';
import type { Underway } from './use-readings.ts';

interface UnderwayLineProps {
  readonly underway: Underway;
  readonly hostname: string;
  /** After *Stop*, which goes away with its line. */
  readonly onStopped: () => void;
  /** What stands in its place until it is worth telling: nothing flashes. */
  readonly children?: ReactNode;
}

/** A shorter one is over before it could be read, let alone be stopped (ms). */
const worthTelling = 1000;

/** How long a reading takes already, and the way to give it up. */
export function UnderwayLine({ underway: { since, stop }, hostname, onStopped, children }: UnderwayLineProps) {
  const isLong = useFromNow((now) => now - since >= worthTelling);
  if (!isLong) return children;
  const end = () => {
    stop();
    onStopped();
  };
  return (
    <ProgressLine since={since} onStop={end} stopLabel={`Stop reading the trajectory of ${hostname}`} inline>
      reading
    </ProgressLine>
  );
}
