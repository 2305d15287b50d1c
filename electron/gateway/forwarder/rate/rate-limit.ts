/** Requests per second from one address at one instance: a bucket of tokens that fills steadily. */
import {addressGroup} from '../access/addresses.ts'
import {tooMany} from '../access/verdict.ts'
import type {Refusal} from '../message-types.ts'

export interface RateLimit {
	/** `null`: go on. `ratePerSecond` 0: no limit, and no cost. */
	take(instanceId: string, address: string, ratePerSecond: number, burst: number): Refusal | null
}

interface Bucket {
	tokens: number
	/** Monotonic milliseconds of the last look. */
	at: number
	/** When it is full again, and need not be remembered. */
	full: number
}

const capacity = 50_000
const sweepPerNew = 4

export function createRateLimit(monotonic: () => number): RateLimit {
	/** The one that was used last is last. */
	const buckets = new Map<string, Bucket>()

	function take(instanceId: string, address: string, ratePerSecond: number, burst: number): Refusal | null {
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

	function keep(key: string, bucket: Bucket, now: number): void {
		const isNew = !buckets.delete(key)
		if (isNew) sweep(now)
		buckets.set(key, bucket)
	}

	/** Each new one makes room for itself: the oldest go once they are full again, or when there is no room. */
	function sweep(now: number): void {
		let looked = 0
		for (const [key, {full}] of buckets) {
			if (buckets.size < capacity && (looked >= sweepPerNew || now < full)) return
			buckets.delete(key)
			looked += 1
		}
	}

	return {take}
}

function fill(bucket: Bucket | undefined, now: number, ratePerSecond: number, burst: number): Bucket {
	if (bucket === undefined) return {tokens: burst, at: now, full: now}
	bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * ratePerSecond)
	bucket.at = now
	return bucket
}

function refusal(waitMs: number): Refusal {
	return tooMany('rate_limited', 'Too many requests from this address.', waitMs).refusal
}
