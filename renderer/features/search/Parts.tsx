import type { ActivityAnswer } from '#shared/contract/search.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/Link.tsx';
import { shownParts, type ShownPart } from './search.ts';
import styles from './ServicePart.module.css';
import { t } from './text.ts';

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
				{t.computersNo(formatCount(all))} <Link href="/events">{t.loadEvents}</Link>
			</p>
		);
	return (
		<>
			<div className={styles['parts']} role="group" aria-label={t.whichComputers}>
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
				{t.noLocalEvents}{' '}
				<Link href={`/events?filter=${encodeURIComponent(answer.eventFilter)}&span=all`}>{t.eventsName}</Link>
			</p>
		</>
	);
}
