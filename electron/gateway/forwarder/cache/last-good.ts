/**
 * The last good answer to each GET of an instance, kept in memory and given again when the instance fails (fail-static for lists;
 * route description, 1.6). An answer above `entryBytes` is not kept, and the least recently used are dropped when all together
 * exceed `totalBytes`. Nothing is written to disk, where an operator's lists would outlive the program. Of simultaneous equal
 * answers one is recorded, and recordings together are limited to `totalBytes` too.
 */
import type {ResponseHead} from '../message-types.ts'
import {combined} from '../headers/lookup.ts'
import {fitsVary, isEventStream, isForAll, keptKey, matchesTag, varyOf, type Asked} from './equal.ts'

interface LastGoodLimits {
	entryBytes: number
	totalBytes: number
}

const lastGoodLimits: LastGoodLimits = {entryBytes: 32 << 20, totalBytes: 64 << 20}

/** A whole answer. */
export interface Kept {
	readonly head: ResponseHead
	readonly chunks: readonly Buffer[]
	readonly size: number
	readonly origin: string
	/** The request fields on which the answer depends: names and values. */
	readonly vary: readonly string[]
	/** Monotonic milliseconds of the instance's last confirmation. */
	readonly keptAt: number
	/** Its initial age in seconds. */
	readonly age: number
}

/** A body being recorded. Ends with `done` or `drop`; a second end is ignored. */
export interface Recording {
	data(chunk: Buffer): void
	/** The answer is complete. */
	done(): void
	/** The answer failed. */
	drop(): void
}

export class LastGood {
	bytes = 0
	readonly #monotonic: () => number
	readonly #limits: LastGoodLimits
	/** Least recently used first. */
	readonly #kept = new Map<string, Kept>()
	/** Keys of the current recordings, and their bytes so far. */
	readonly #recording = new Set<string>()
	#recorded = 0

	constructor(monotonic: () => number, limits: LastGoodLimits = lastGoodLimits) {
		this.#monotonic = monotonic
		this.#limits = limits
	}

	/** An answer stored at most `seconds` ago. */
	find(asked: Asked, seconds: number) {
		const {method} = asked.head
		if (seconds <= 0 || (method !== 'GET' && method !== 'HEAD')) return null
		const key = keptKey(asked)
		const kept = this.#kept.get(key)
		if (kept === undefined || !fitsVary(kept.vary, asked.head)) return null
		if (this.#monotonic() - kept.keptAt > seconds * 1000) return null
		this.#kept.delete(key)
		this.#kept.set(key, kept)
		return kept
	}

	/** `null` when the answer is not stored. */
	record(asked: Asked, head: ResponseHead): Recording | null {
		if (asked.head.method !== 'GET' || !this.#isWorthKeeping(asked, head)) return null
		const key = keptKey(asked)
		if (this.#recording.has(key)) return null
		this.#recording.add(key)
		return this.#tape(key, asked, head)
	}

	/** The instance confirms the client's copy: the stored one of the same tag is valid too. */
	confirm(asked: Asked, head: ResponseHead) {
		const key = keptKey(asked)
		const kept = this.#kept.get(key)
		const etag = kept === undefined ? null : combined(kept.head.fields, 'etag')
		if (kept === undefined || etag === null || combined(head.fields, 'etag') !== etag) return
		this.#kept.set(key, {...kept, keptAt: this.#monotonic(), age: ageOf(head)})
	}

	/** Drops the answers of all others. */
	retain(origins: ReadonlySet<string>) {
		for (const [key, kept] of this.#kept) if (!origins.has(kept.origin)) this.#forget(key)
	}

	/** 200, shareable, and of a length that shows whether it is complete. */
	#isWorthKeeping(asked: Asked, head: ResponseHead) {
		if (head.status !== 200 || head.framing.kind === 'close' || !isForAll(head)) return false
		if (isEventStream(head)) return false
		if ((combined(asked.head.fields, 'cache-control') ?? '').toLowerCase().includes('no-store')) return false
		return head.framing.kind !== 'length' || head.framing.length <= this.#limits.entryBytes
	}

	#tape(key: string, asked: Asked, head: ResponseHead): Recording {
		const {entryBytes, totalBytes} = this.#limits
		let chunks: Buffer[] | null = []
		let size = 0
		const drop = () => {
			if (chunks === null) return
			chunks = null
			this.#recorded -= size
			this.#recording.delete(key)
		}
		const data = (chunk: Buffer) => {
			if (chunks === null) return
			chunks.push(chunk)
			size += chunk.length
			this.#recorded += chunk.length
			if (size > entryBytes || this.#recorded > totalBytes) drop()
		}
		const done = () => {
			if (chunks !== null) this.#put(asked, head, chunks, size)
			drop()
		}
		return {data, done, drop}
	}

	#put(asked: Asked, head: ResponseHead, chunks: readonly Buffer[], size: number) {
		const key = keptKey(asked)
		this.#forget(key)
		const vary = varyOf(head, asked.head)
		const {origin} = asked
		const keptAt = this.#monotonic()
		this.#kept.set(key, {head, chunks: compact(chunks, size), size, origin, vary, keptAt, age: ageOf(head)})
		this.bytes += size
		for (const old of this.#kept.keys()) {
			if (this.bytes <= this.#limits.totalBytes && this.#kept.size <= mostEntries) break
			this.#forget(old)
		}
	}

	#forget(key: string) {
		const kept = this.#kept.get(key)
		if (kept === undefined) return
		this.#kept.delete(key)
		this.bytes -= kept.size
	}
}

/** Small answers cost more than their bytes. */
const mostEntries = 10_000
const compactBytes = 64 * 1024

/** Joins many small pieces: each would keep the memory that it was cut from. */
function compact(chunks: readonly Buffer[], size: number) {
	return size <= compactBytes ? [Buffer.concat(chunks, size)] : chunks
}

function ageOf(head: ResponseHead) {
	const age = Number(combined(head.fields, 'age') ?? 0)
	return Number.isSafeInteger(age) && age >= 0 ? age : 0
}

/** Whether the client has it already. */
export function isKnownTo(asked: Asked, kept: Kept) {
	return matchesTag(asked.head, combined(kept.head.fields, 'etag'))
}
