import type { Tile } from '#shared/contract/sight.ts';
import { formatCount } from '#shared/text/numbers.ts';
import { tileTitles } from '#shared/text/terms.ts';

import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/Link.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './OverviewScreen.module.css';
import { t } from './text.ts';

interface TilesProps {
	/** `undefined` while nothing is known. */
	readonly tiles: readonly Tile[] | undefined;
	/** The numbers are from an earlier reading, and the service cannot be asked. */
	readonly isOld: boolean;
}

/** Numbers, each of which opens its rows. */
export function Tiles({ tiles, isOld }: TilesProps) {
	if (tiles === undefined)
		return (
			<ul className={styles['tiles']} aria-label={t.numbers} aria-busy="true">
				{Object.values(tileTitles).map((title) => (
					<li key={title} className={styles['tile']}>
						<span className={styles['number']}>
							<Skeleton width="48px" height={18} />
						</span>
						<span className={styles['tileTitle']}>{title}</span>
					</li>
				))}
			</ul>
		);
	return (
		<ul className={cx(styles['tiles'], isOld && styles['old'])} aria-label={t.numbers}>
			{tiles.map((tile) => (
				<li key={tile.kind}>
					<Link href={tile.open} className={cx(styles['tile'], styles[toneOf(tile)])}>
						<span className={styles['number']}>
							{tile.atLeast ? '≥ ' : ''}
							{formatCount(tile.count)}
						</span>
						<span className={styles['tileTitle']}>{tile.title}</span>
					</Link>
				</li>
			))}
		</ul>
	);
}

function toneOf({ kind, count }: Tile): string {
	if (count === 0) return 'zero';
	if (kind === 'compromised') return 'bad';
	return kind === 'isolated' || kind === 'pending' ? 'hold' : 'plain';
}
