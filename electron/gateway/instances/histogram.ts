/** A histogram of durations: each bucket is a twelfth of an octave, so that a quantile is right within 6%. */
export type Histogram = Readonly<Record<number, number>>

const perOctave = 12

/** Milliseconds. */
export function bucketOf(ms: number) {
	return Math.round(Math.log2(Math.max(ms, 0.001)) * perOctave)
}

export function merge(one: Histogram, other: Histogram): Histogram {
	const sum: Record<number, number> = {...one}
	for (const [bucket, count] of Object.entries(other)) sum[Number(bucket)] = (sum[Number(bucket)] ?? 0) + count
	return sum
}

/** The quantile in milliseconds for a share (0 to 1); `null` without values. */
export function quantile(histogram: Histogram, share: number) {
	const buckets = Object.entries(histogram)
		.map(([bucket, count]) => [Number(bucket), count] as const)
		.toSorted(([a], [b]) => a - b)
	const total = buckets.reduce((sum, [, count]) => sum + count, 0)
	let left = Math.max(1, Math.ceil(total * share))
	for (const [bucket, count] of buckets) {
		left -= count
		if (left <= 0) return Math.round(2 ** (bucket / perOctave) * 100) / 100
	}
	return null
}
