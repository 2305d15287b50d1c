import { useMemo } from 'react';

import { dispositions, type TrajectoryPoint } from '#shared/contract/sight.ts';

import { cx } from '../../ui/cx.ts';
import { dispositionLooks, shapeLooks } from './looks.ts';
import styles from './Trajectory.module.css';

/** The signs and colours that occur. */
export function Legend({ points }: { readonly points: readonly TrajectoryPoint[] }) {
	const found = useMemo(
		() => ({
			shapes: new Set(points.map(({ shape }) => shape)),
			held: new Set(points.map((each) => each.disposition)),
		}),
		[points],
	);
	return (
		<div className={styles['legend']}>
			{Object.entries(shapeLooks).map(([shape, { sign, word }]) =>
				[...found.shapes].some((each) => each === shape) ? (
					<span key={shape}>
						<span aria-hidden="true">{sign}</span> {word}
					</span>
				) : null,
			)}
			<span className={styles['spring']} />
			{dispositions.map((disposition) =>
				found.held.has(disposition) && disposition !== 'none' ? (
					<span key={disposition}>
						<span className={cx(styles['swatch'], styles[disposition])} aria-hidden="true" />{' '}
						{dispositionLooks[disposition].word}
					</span>
				) : null,
			)}
		</div>
	);
}
