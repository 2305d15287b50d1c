import { formatDifference } from '#shared/text/durations.ts';

import { useActiveFrame } from '../../api/active.tsx';
import { skewInBanner } from '../../ui/time.ts';
import styles from './IncidentLogScreen.module.css';
import { t } from './text.ts';

/** Less is the time that an answer takes. */
const notable = 5000;

/** Both clocks, where they differ: our own entries have this computer's time, the audit log has the service's. */
export function ClockNote() {
  const skew = useActiveFrame()?.clockSkewMs ?? null;
  if (skew === null || Math.abs(skew) < notable) return null;
  return (
    <p className={styles['clock']} role="note">
      ◷ {Math.abs(skew) < skewInBanner ? `${differenceWords(skew)} ` : null}
      {t.entriesComputers}
    </p>
  );
}

/** Where no banner tells it. */
function differenceWords(skew: number): string {
  return `This computer is ${formatDifference(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the service.`;
}
