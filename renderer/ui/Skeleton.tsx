import styles from './Skeleton.module.css'

/** A grey bar in place of a loading text. `width` is any CSS length. */
export function Skeleton({width = '60%', height = 10}: {width?: string; height?: number}) {
	return <span className={styles.bar} style={{width, height}} aria-hidden />
}

/** A few lines of loading text, announced once. */
export function SkeletonLines({lines = 3, label = 'Loading'}: {lines?: number | undefined; label?: string | undefined}) {
	return (
		<div className={styles.lines} role="status" aria-label={label}>
			{Array.from({length: lines}, (_, index) => (
				<Skeleton key={index} width={`${88 - ((index * 23) % 48)}%`} />
			))}
		</div>
	)
}
