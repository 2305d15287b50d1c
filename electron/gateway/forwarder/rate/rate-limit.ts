/** Requests per second from one address at one instance: a token bucket. */
import {addressGroup} from '../access/addresses.ts'
import {tooMany} from '../access/verdict.ts'

export type RateLimit = ReturnType<typeof createRateLimit>

interface Bucket {
	tokens: number
	/** Monotonic milliseconds of the last update. */
	at: number
	/** When it is full again and can be dropped. */
	full: number
}

const capacity = 50_000
const sweepPerNew = 4

export function createRateLimit(monotonic: () => number) {
	/** Ordered by last use. */
	const buckets = new Map<string, Bucket>()

	function take(instanceId: string, address: string, ratePerSecond: number, burst: number) {
		if (ratePerSecond <= 0) return null
		const now = monotonic()
		const key = `${addressGroup(address)} ${instanceId}`
		const bucket = fill(buckets.get(key), now, ratePerSecond, burst)
		keep(key, bucket, now)
		if (bucket.tokens < 1) return refusal(((1 - bucket.tokens) / ratePerSecond) * 1000)
		bucket.tokens -= 1
		bucket.full = now + ((burst - bucket.tokens) / ratePerSecond) * 1000
		return null
	}

	function keep(key: string, bucket: Bucket, now: number) {
		const isNew = !buckets.delete(key)
		if (isNew) sweep(now)
		buckets.set(key, bucket)
	}

	/** On each insertion: drops the oldest if full again, or without room. */
	function sweep(now: number) {
		let looked = 0
		for (const [key, {full}] of buckets) {
			if (buckets.size < capacity && (looked >= sweepPerNew || now < full)) return
			buckets.delete(key)
			looked += 1
		}
	}

	return {
		/** `null`: accepted. `ratePerSecond` 0: no limit, and no cost. */
		take
	}
}

function fill(bucket: Bucket | undefined, now: number, ratePerSecond: number, burst: number) {
	if (bucket === undefined) return {tokens: burst, at: now, full: now}
	bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * ratePerSecond)
	bucket.at = now
	return bucket
}

function refusal(waitMs: number) {
	return tooMany('rate_limited', 'Too many requests from this address.', waitMs).refusal
}
