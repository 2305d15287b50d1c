import { leaseEndingMs, type Lease } from '#shared/model/lease.ts';
import { formatCountdown } from '#shared/text/durations.ts';

import { useFromNow } from '../../ui/Clock.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';

/** How much of a lease is left, in words and colour. */
export function LeaseLeft({ lease }: { readonly lease: Pick<Lease, 'endsAt' | 'auto' | 'state'> }) {
  const { endsAt, auto, state } = lease;
  const left = useFromNow((now) => (endsAt === null ? null : leftWords(endsAt, now)));
  if (state === 'releasing') return <Tag tone="hold">being released</Tag>;
  if (endsAt === null || left === null) return <span>until released</span>;
  if (left === 'over')
    return (
      <>
        <Tag tone="bad">{auto ? 'over, to be released' : 'over'}</Tag> <Time at={endsAt} focusable />
      </>
    );
  const [kind, text] = left.split('|');
  return (
    <span title={`ends ${endsAt}`}>
      {kind === 'ending' ? <Tag tone="warn">ends in {text}</Tag> : <>ends in {text}</>}
      {auto ? ', then released by itself' : ''}
    </span>
  );
}

function leftWords(endsAt: string, now: number): string {
  const ms = Date.parse(endsAt) - now;
  if (ms <= 0) return 'over';
  if (ms > 2 * 3_600_000) {
    const minutes = Math.floor(ms / 60_000);
    const hours = Math.floor(minutes / 60);
    const text = hours >= 48 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours} h ${minutes % 60} min`;
    return `running|${text}`;
  }
  return `${ms <= leaseEndingMs ? 'ending' : 'running'}|${formatCountdown(ms)}`;
}
