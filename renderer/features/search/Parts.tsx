import type { ActivityAnswer } from '#shared/contract/search.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/Link.tsx';
import { shownParts, type ShownPart } from './search.ts';
import styles from './ServicePart.module.css';

interface PartsProps {
  readonly answer: ActivityAnswer;
  readonly hasEvents: boolean;
  readonly show: ShownPart;
  readonly onShow: (show: ShownPart) => void;
}

/** How many saw it, how many of them are silent about it, and how many tell: as a picture and as a choice. */
export function Parts({ answer, hasEvents, show, onShow }: PartsProps) {
  const all = answer.computers.length;
  const counts: Readonly<Record<ShownPart, number>> = { all, silent: answer.silent, told: all - answer.silent };
  const titles: Readonly<Record<ShownPart, string>> = {
    all: answer.kind === 'user' ? 'had the user' : 'saw it',
    silent: 'no local events',
    told: 'named in events',
  };
  if (!hasEvents)
    return (
      <p className={styles['hint']}>
        {formatCount(all)} computers. Which of them have local events about it cannot be told: no events are stored
        here. <Link href="/events">Read events</Link>
      </p>
    );
  return (
    <>
      <div className={styles['parts']} role="group" aria-label="Which computers">
        {shownParts.map((part) => (
          <button
            key={part}
            type="button"
            className={cx(styles['part'], styles[part])}
            aria-pressed={part === show}
            onClick={() => onShow(part)}
          >
            <span className={styles['number']}>{formatCount(counts[part])}</span>
            <span>{titles[part]}</span>
          </button>
        ))}
      </div>
      <div className={styles['strip']} aria-hidden="true">
        <span className={styles['stripSilent']} style={{ flexGrow: counts.silent }} />
        <span className={styles['stripTold']} style={{ flexGrow: counts.told }} />
      </div>
      <p className={styles['hint']}>
        No local events: the service reports a match there, but no event stored here names it.{' '}
        <Link href={`/events?filter=${encodeURIComponent(answer.eventFilter)}&span=all`}>Events that name it</Link>
      </p>
    </>
  );
}
