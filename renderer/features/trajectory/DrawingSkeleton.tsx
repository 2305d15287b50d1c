import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Trajectory.module.css';

const lanes = 9;

/** Lanes that are on their way. */
export function DrawingSkeleton({ label }: { readonly label: string }) {
	return (
		<div className={styles['skeleton']} role="status" aria-label={label}>
			{Array.from({ length: lanes }, (_, lane) => (
				<div key={lane} className={styles['skeletonLane']}>
					<Skeleton width={`${50 + ((lane * 37) % 40)}%`} />
					<span className={styles['skeletonLine']}>
						{Array.from({ length: 3 + (lane % 4) }, (_each, mark) => (
							<span key={mark} style={{ left: `${(lane * 23 + mark * 19) % 96}%` }} />
						))}
					</span>
				</div>
			))}
		</div>
	);
}
