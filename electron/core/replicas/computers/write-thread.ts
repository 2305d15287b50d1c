import type {Clock} from '#base/ports.ts'
import {endsWithin, workerUrl} from '#base/threads.ts'
import {openWriting} from '../kit/write-thread.ts'
import type {PageReader} from '#core/service/api/endpoints/endpoint.ts'
import {signal, type ReadComputer, type ReadOrder, type WriteOrder, type WriterAnswer, type WriterData, type WriteTask} from './write-task.ts'

/** While more pages wait for the file, no further one is requested. */
const mostWaiting = 4

/** Pages of records pass through the thread; without a limit, V8 grows the heap instead of collecting. */
const resourceLimits = {maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128}

/** Writes in a thread of its own, in order. The thread runs while there is something to write. */
export type WriteThread = ReturnType<typeof makeWriteThread>

export function makeWriteThread({path, clock, patienceMs}: {path: string; clock: Clock; patienceMs: number}) {
	const signals = new Int32Array(new SharedArrayBuffer(8))
	const roomy = new Set<() => void>()
	const onAnswer = () => {
		if (thread.pending() >= mostWaiting) return
		for (const resolve of roomy) resolve()
		roomy.clear()
	}
	const data: WriterData = {path, signals}
	const url = workerUrl(import.meta.url, 'worker', 'inventory-worker')
	const thread = openWriting<Omit<WriteOrder, 'id'> | Omit<ReadOrder, 'id'>, WriterAnswer>({
		...{url, name: 'local data', data, resourceLimits, patienceMs, what: 'Local data', onAnswer}
	})
	return {
		// The thread answers a task with a boolean, and bytes with what they hold.
		/** Resolves once committed, with whether a row changed; rejects with `CordonError`. */
		write: (task: WriteTask) => thread.write({ahead: clock.now() - Date.now(), task}) as Promise<boolean>,
		/** Reads a page, whose records the thread keeps. */
		read: (bytes: Uint8Array, encoding: string) => thread.write({bytes, encoding}, wholeOf(bytes)) as ReturnType<PageReader<ReadComputer>>,
		room: () => (thread.pending() < mostWaiting ? Promise.resolve() : new Promise<void>(resolve => roomy.add(resolve))),
		/** Runs a small write on this thread's own connection; the writing thread gives way. */
		first: <T>(work: () => T) => {
			Atomics.add(signals, signal.waiting, 1)
			try {
				return work()
			} finally {
				Atomics.sub(signals, signal.waiting, 1)
			}
		},
		/**
		 * Ends the thread once `last` is settled, which may still write, or when that takes too long. Unwritten tasks reject as
		 * `cancelled`.
		 */
		stop: async (last: Promise<void>) => {
			if (!(await endsWithin(last, patienceMs))) Atomics.store(signals, signal.cut, 1)
			await thread.stop()
		}
	}
}

/** The memory of these bytes, where it holds nothing else. */
function wholeOf({buffer, byteLength}: Uint8Array) {
	return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}
