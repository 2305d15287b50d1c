import styles from './Skeleton.module.css'

/** A grey bar in place of a loading text. `width` is any CSS length. */
export function Skeleton({width = '60%', height = 10}: {readonly width?: string; readonly height?: number}) {
	return <span className={styles.bar} style={{width, height}} aria-hidden="true" />
}

/** A few lines of loading text, announced once. */
export function SkeletonLines({lines = 3, label = 'Loading'}: {readonly lines?: number; readonly label?: string}) {
	return (
		<div className={styles.lines} role="status" aria-label={label}>
			{Array.from({length: lines}, (_, index) => (
				<Skeleton key={index} width={`${88 - ((index * 23) % 48)}%`} />
			))}
		</div>
	)
}
