import type {Spark} from './spark.ts'
import styles from './Sparkline.module.css'

interface SparklineProps {
	spark: Spark
	/** Its meaning as a sentence, for screen readers and as tooltip. */
	label: string
}

const height = 18
const step = 4

/** Placeholder while counts load. */
export function SparklineToCome({counts}: {counts: number}) {
	return <svg className={styles.spark} width={counts * step} height={height} aria-hidden />
}

/** A course over time, as small as a word. A dot on the base line marks a time not loaded. */
export function Sparkline({spark: {counts}, label}: SparklineProps) {
	const most = Math.max(1, ...counts.map(count => count ?? 0))
	const bars = counts.map((count, index) => ({x: index * step, count}))
	const width = counts.length * step
	return (
		<svg className={styles.spark} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
			<title>{label}</title>
			{bars.map(({x, count}) => (
				<Bar key={x} x={x} count={count} most={most} />
			))}
		</svg>
	)
}

function Bar({x, count, most}: {x: number; count: number | null; most: number}) {
	if (count === null) return <rect x={x + 1} y={height - 2} width={1} height={1} className={styles.unread} />
	const size = count === 0 ? 1 : Math.max(3, Math.round((count / most) * height))
	return <rect x={x} y={height - size} width={step - 1} height={size} className={styles[count === 0 ? 'none' : 'some']} />
}
