import { handoverParts, handoverWords, type Handover, type HandoverLine } from '#shared/model/handover.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { Link } from '../../ui/Link.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './HandoverScreen.module.css';
import { t } from './text.ts';

/** All parts, also the empty ones: that nothing is pending is worth knowing too. */
export function HandoverParts({ handover }: { readonly handover: Handover }) {
  return handoverParts.map((part) => {
    const [title, none] = handoverWords[part];
    const lines = handover.parts[part];
    const all = handover.cut[part];
    return (
      <section key={part} className={styles['part']} aria-label={title}>
        <h2 className={styles['title']}>
          {title}
          <span className={styles['count']}>{lines.length === 0 ? '' : formatCount(all ?? lines.length)}</span>
        </h2>
        {lines.length === 0 ? (
          <p className={styles['none']}>{none}</p>
        ) : (
          <ul className={styles['lines']}>
            {lines.map((line) => (
              <Line key={`${line.open ?? ''} ${line.at ?? ''} ${line.text}`} line={line} isEnd={part === 'leases'} />
            ))}
          </ul>
        )}
        {all === undefined ? null : (
          <p className={styles['none']}>
            {t.theseFirst(formatCount(all))} <Link href="/log">{t.theLog}</Link> {t.hasAll}
          </p>
        )}
      </section>
    );
  });
}

function Line({ line, isEnd }: { readonly line: HandoverLine; readonly isEnd: boolean }) {
  const { at, text, open } = line;
  return (
    <li className={styles['line']}>
      <span className={styles['at']}>
        {at === null ? null : (
          <>
            {isEnd ? t.until : null}
            <Time at={at} form="exact" />
          </>
        )}
      </span>
      <span>{text}</span>
      {open === null ? null : (
        <Link href={open} className={styles['open']} aria-label={t.openOf(text)}>
          {t.openInline}
        </Link>
      )}
    </li>
  );
}
