/** The bodies of a built list: default ones from their files, others streamed from the built lines. */
import {open} from 'node:fs/promises'
import {join} from 'node:path'

import {bodyMeter, type BodyFacts} from './build.ts'
import type {ByteRange} from './conditional.ts'
import {bodyOf} from './render.ts'
import type {BuildRecord, Shelf} from './shelf.ts'
import {defaultVariant, variantKey, type Variant} from './variant.ts'

export type Bodies = ReturnType<typeof createBodies>

/** Too many variants wait for their pass. */
export class Busy extends Error {}

/** Variants of a list cached, measured at once, and waiting. */
const remembered = 64
const passes = 2
const waiting = 16
/** A page up to this size is kept from its pass: paging takes one pass per page. */
const keptBytes = 256 * 1024

/** `body`: of a small variant only. */
interface Measured {
	facts: BodyFacts
	body: Buffer | null
}

interface Pass {
	measured: Promise<Measured>
	ending: AbortController
	waiters: number
}

export function createBodies(shelf: Shelf) {
	const known = new Map<string, Measured>()
	const stopping = new AbortController()
	const measuredBy = createPasses(shelf, stopping.signal)

	/**
	 * Size and checksums; for a variant, from a cached pass over the list. The pass ends when nobody waits for it. Rejects with
	 * `Busy` when too many others wait, and with the signal's reason.
	 */
	async function factsOf(record: BuildRecord, variant: Variant, signal: AbortSignal) {
		const ready = bodyFile(record, variant) === null ? undefined : record.facts.bodies[variant.format]
		if (ready !== undefined) return ready
		const key = keyOf(record, variant)
		const measured = known.get(key) ?? (await measuredBy(record, variant, signal))
		remember(key, measured)
		return measured.facts
	}

	function remember(key: string, measured: Measured) {
		known.delete(key)
		known.set(key, measured)
		const [oldest] = known.keys()
		if (known.size > remembered && oldest !== undefined) known.delete(oldest)
	}

	async function* piecesFor(record: BuildRecord, variant: Variant, range: ByteRange | null): AsyncGenerator<Buffer> {
		const file = bodyFile(record, variant)
		const release = shelf.holdId(record.id)
		try {
			if (file === null) yield* ofVariant(record, variant)
			else yield* piecesOf(join(shelf.folderOf(record.id), file), range)
		} finally {
			release()
		}
	}

	async function* ofVariant(record: BuildRecord, variant: Variant): AsyncGenerator<Buffer> {
		const body = known.get(keyOf(record, variant))?.body ?? null
		if (body !== null) {
			if (body.length > 0) yield body
			return
		}
		for await (const {bytes} of bodyOf(shelf.baseOf(record), variant, stopping.signal)) {
			if (bytes.length > 0) yield bytes
		}
	}

	return {
		factsOf,
		/** Consume each piece before the next: its memory is reused. */
		open: piecesFor,
		/** Ends running passes. */
		stop: () => stopping.abort()
	}
}

/** Equal requests share one pass. */
function createPasses(shelf: Shelf, stopping: AbortSignal) {
	const running = new Map<string, Pass>()
	const gate = createGate(passes, waiting)

	async function measuredBy(record: BuildRecord, variant: Variant, signal: AbortSignal) {
		const key = keyOf(record, variant)
		signal.throwIfAborted()
		const pass = running.get(key) ?? begin(key, record, variant)
		pass.waiters += 1
		const gone = Promise.withResolvers<never>()
		const leave = () => {
			pass.waiters -= 1
			if (pass.waiters === 0) end(key, pass)
			gone.reject(signal.reason)
		}
		signal.addEventListener('abort', leave, {once: true})
		try {
			return await Promise.race([pass.measured, gone.promise])
		} finally {
			signal.removeEventListener('abort', leave)
		}
	}

	function begin(key: string, record: BuildRecord, variant: Variant) {
		const ending = new AbortController()
		const signal = AbortSignal.any([ending.signal, stopping])
		const measured = gate(() => measure(record, variant, signal), signal)
		const pass: Pass = {measured, ending, waiters: 0}
		running.set(key, pass)
		const over = () => end(key, pass)
		measured.then(over, over)
		return pass
	}

	/** A failed pass is repeated by the next request. */
	function end(key: string, pass: Pass) {
		if (running.get(key) === pass) running.delete(key)
		pass.ending.abort()
	}

	async function measure(record: BuildRecord, variant: Variant, signal: AbortSignal): Promise<Measured> {
		const release = shelf.holdId(record.id)
		try {
			const meter = bodyMeter()
			let kept: Buffer[] | null = []
			let size = 0
			for await (const piece of bodyOf(shelf.baseOf(record), variant, signal)) {
				meter.add(piece)
				size += piece.bytes.length
				if (size > keptBytes) kept = null
				else kept?.push(piece.bytes)
			}
			return {facts: meter.facts(), body: kept === null ? null : Buffer.concat(kept)}
		} finally {
			release()
		}
	}

	return measuredBy
}

const pieceBytes = 131_072

/** Of a file, in reused memory: a stream for each reader would leave its buffers to the garbage collector. */
export async function* piecesOf(path: string, range: ByteRange | null): AsyncGenerator<Buffer> {
	const file = await open(path, 'r')
	try {
		const memory = Buffer.allocUnsafeSlow(pieceBytes)
		const end = range === null ? Number.POSITIVE_INFINITY : range.last + 1
		for (let at = range?.first ?? 0; at < end;) {
			const {bytesRead} = await file.read(memory, 0, Math.min(pieceBytes, end - at), at)
			if (bytesRead === 0) return
			yield memory.subarray(0, bytesRead)
			at += bytesRead
		}
	} finally {
		await file.close()
	}
}

/** The file that holds this variant, or `null`. */
export function bodyFile(record: BuildRecord, variant: Variant): string | null {
	const own = {...defaultVariant(record.definition), format: variant.format}
	return variantKey(own) === variantKey(variant) && record.facts.bodies[variant.format] !== undefined ? variant.format : null
}

function keyOf(record: BuildRecord, variant: Variant) {
	return `${record.id} ${variantKey(variant)}`
}

type Gate = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Limits concurrency; further callers wait in order until their signal ends that; more are refused as `Busy`. */
function createGate(most: number, mostWaiting: number): Gate {
	let running = 0
	const queue = new Set<() => void>()

	async function turn(signal: AbortSignal) {
		signal.throwIfAborted()
		if (queue.size >= mostWaiting) throw new Busy('Too many forms of this list are being measured.')
		const {promise, resolve, reject} = Promise.withResolvers<void>()
		const leave = () => {
			queue.delete(resolve)
			reject(signal.reason)
		}
		queue.add(resolve)
		signal.addEventListener('abort', leave, {once: true})
		await promise.finally(() => signal.removeEventListener('abort', leave))
	}

	return async (work, signal) => {
		if (running < most) running += 1
		else await turn(signal)
		try {
			return await work()
		} finally {
			const [next] = queue
			if (next === undefined) running -= 1
			else {
				queue.delete(next)
				next()
			}
		}
	}
}
